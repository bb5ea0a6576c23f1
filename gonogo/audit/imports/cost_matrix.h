// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/audit/imports/imported_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Reads a matrix of costs, one row per query and one column per action, and a file of features,
/// one row per query. Both name their queries in the column `query`; a column `cluster` in either
/// says which queries belong together. Every other column of the matrix is an action. An empty
/// feature is missing.
[[nodiscard]] Result<ImportedTable> ReadCostMatrix(const std::filesystem::path& matrix,
                                                   const std::filesystem::path& features);

}  // namespace gonogo::audit
