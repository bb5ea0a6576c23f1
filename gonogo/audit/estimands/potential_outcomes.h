// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// E_x(a), query-major: the table's own column when it has one, otherwise S_x(a) >= S_x(a0) and
/// T_x(a) <= rho T_x(a0), inclusive, in double; a missing half of the definition is void. Nothing
/// is filtered when direct itself fails. `tolerance` adds to the time (docs/concepts/audit.md, 1).
[[nodiscard]] std::vector<std::uint8_t> ComputeEligibility(const OutcomeTable& table, double rho,
                                                           double tolerance = 0.0);

/// The cheapest eligible action of every query, lowest index on ties (docs/concepts/audit.md, 3).
/// For scores of a log, which do not tell it, the action that the cost models predict to be
/// cheapest: an adapter that could be had, so that its gain is no more than the oracle's.
[[nodiscard]] std::vector<ActionIndex> ComputeOracle(const OutcomeTable& table,
                                                     const std::vector<std::uint8_t>& eligible);

/// One row per cluster, one column per action.
using ClusterActionTotals = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Sums over the queries of each cluster; whatever is compared later is a ratio of such sums.
struct OutcomeTotals {
  std::vector<double> queries;
  ClusterActionTotals cost;
  ClusterActionTotals violations;  ///< queries at which the action is not eligible; or net losses
  ClusterActionTotals successes;   ///< no rows when success was not recorded
  std::vector<double> oracle_cost;
  std::vector<double> oracle_successes;
  std::vector<double> adapter_cost = {};  ///< of choosing, where the table has such a column
  bool counts_net_success = false;        ///< violations may be below zero
  bool can_violate = true;  ///< something was recorded or given that a choice can break
  /// Mean of |W(a) - W(a0)| over queries and actions other than direct, as a share of the mean
  /// W(a0): what choosing differently at a query is worth.
  double spread = 0.0;
  bool of_rewards = false;  ///< costs are rewards below zero
  /// What a success counts, in units of the cost, where choices are compared with random ones: the
  /// rate at which the fixed actions trade cost for success. 0: costs alone are compared.
  double success_price = 0.0;
};

/// What a selector is charged for choosing in a cluster: so much at every query, and what the table
/// says of each.
[[nodiscard]] double AdapterCharge(const OutcomeTotals& totals, std::size_t cluster,
                                   double per_query);

/// A table together with everything that follows from its outcomes alone, whatever the selector.
/// The table must outlive it.
struct PotentialOutcomes {
  const OutcomeTable* table;
  double rho;
  std::vector<std::uint8_t> eligible;
  std::vector<ActionIndex> oracle;
  OutcomeTotals totals;

  /// What q counts of a cell: 1 where it is not eligible; with net success -1, 0 or 1.
  [[nodiscard]] double violation(std::size_t query, ActionIndex action) const;
};

[[nodiscard]] PotentialOutcomes DeriveOutcomes(const OutcomeTable& table, double rho,
                                               double tolerance = 0.0);

}  // namespace gonogo::audit
