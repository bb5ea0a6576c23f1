// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/io/toml/keys.h"

namespace gonogo::audit {

/// The keys of [table].
[[nodiscard]] io::TomlKeys<TableColumns> TableKeys();
/// The keys of [logging].
[[nodiscard]] io::TomlKeys<LoggingConfig> LoggingKeys();

}  // namespace gonogo::audit
