// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/table/column_roles.h"

namespace gonogo::audit {

/// A commented `audit.toml` for a table with these columns, each guess with its reason. `table` is
/// the file's name, for the first lines.
[[nodiscard]] std::string FirstProtocol(const ColumnRoles& roles, const std::string& table);

}  // namespace gonogo::audit
