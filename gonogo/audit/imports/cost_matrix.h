// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/audit/imports/imported_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// The files of a matrix of costs: one row per query in each, joined by the column that names the
/// queries, which is the only one that all have, or `query`. A column `cluster` in either of the
/// first two says which queries belong together.
struct CostMatrixFiles {
  std::filesystem::path costs;  ///< every other column is an action
  std::filesystem::path features;
  std::filesystem::path success = {};  ///< 0 or 1, with the actions of the costs; or empty
};

/// What is done with a cost that is missing: nothing is assumed (refused), the query is left out,
/// or `price` stands for it.
struct MissingCosts {
  enum class Then { kRefuse, kLeaveOut, kPrice } then = Then::kRefuse;
  double price = 0.0;
};

/// Reads them. Features may be numbers, categories or missing.
[[nodiscard]] Result<ImportedTable> ReadCostMatrix(const CostMatrixFiles& files,
                                                   const MissingCosts& missing);

}  // namespace gonogo::audit
