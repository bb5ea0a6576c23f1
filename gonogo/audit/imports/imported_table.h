// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Outcomes of every action at every query, as somebody else's files hold them.
struct ImportedTable {
  std::string name;
  std::vector<std::string> actions;
  std::vector<std::string> queries;
  std::vector<std::string> clusters;       ///< one per query
  std::vector<double> cost;                ///< query-major, every cell filled
  std::vector<std::uint8_t> success = {};  ///< the same, or empty
  std::vector<std::string> features = {};  ///< names
  std::vector<double> values = {};         ///< query-major; NaN: missing
  std::vector<double> adapter_cost = {};   ///< of computing the features of a query; or empty

  [[nodiscard]] std::size_t cell(std::size_t query, std::size_t action) const {
    return query * actions.size() + action;
  }
};

/// Fills missing features with the median of the known ones and adds a column `NAME_missing` (0 or
/// 1) for each that had any. A feature that is always missing is dropped.
void FillMissing(ImportedTable& table);

/// The action with the lowest summed cost: what one would run everywhere, after the fact.
[[nodiscard]] const std::string& CheapestAction(const ImportedTable& table);

/// The table as CSV, one row per query and action, features as f_NAME.
[[nodiscard]] std::string LongCsv(const ImportedTable& table);

/// A protocol for it. `unit` says in words what a cluster is.
[[nodiscard]] std::string ProtocolFor(const ImportedTable& table, const std::string& reference,
                                      const std::string& unit);

}  // namespace gonogo::audit
