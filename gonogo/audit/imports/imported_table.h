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
  std::vector<std::string> values = {};    ///< query-major, as a file has them; empty: missing
  std::vector<double> adapter_cost = {};   ///< of computing the features of a query; or empty
  std::vector<std::string> remarks = {};   ///< what was read in a way that one should know of

  [[nodiscard]] std::size_t cell(std::size_t query, std::size_t action) const {
    return query * actions.size() + action;
  }
};

/// The action with the lowest summed cost: what one would run everywhere, after the fact.
[[nodiscard]] const std::string& CheapestAction(const ImportedTable& table);

/// The table as CSV, one row per query and action, features as f_NAME. What is missing stays so:
/// the audit learns in each of its training sets what stands for it.
[[nodiscard]] std::string LongCsv(const ImportedTable& table);

/// A protocol for it. `unit` says in words what a cluster is.
[[nodiscard]] std::string ProtocolFor(const ImportedTable& table, const std::string& reference,
                                      const std::string& unit);

}  // namespace gonogo::audit
