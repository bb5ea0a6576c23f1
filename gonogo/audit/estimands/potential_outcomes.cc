// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/potential_outcomes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gonogo::audit {

std::vector<std::uint8_t> ComputeEligibility(const OutcomeTable& table, double rho,
                                             double tolerance) {
  if (!table.eligible.empty()) return table.eligible;
  const std::size_t actions = table.num_actions();
  std::vector<std::uint8_t> eligible(table.num_queries() * actions, 1);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t direct = table.cell(query, kDirect);
    for (std::size_t cell = direct; cell < direct + actions; ++cell) {
      const bool succeeds = table.success.empty() || table.success[cell] >= table.success[direct];
      const bool in_time =
          table.time.empty() || table.time[cell] <= rho * table.time[direct] + tolerance;
      eligible[cell] = succeeds && in_time ? 1 : 0;
    }
  }
  return eligible;
}

std::vector<ActionIndex> ComputeOracle(const OutcomeTable& table,
                                       const std::vector<std::uint8_t>& eligible) {
  std::vector<ActionIndex> oracle(table.num_queries(), kDirect);
  // Nobody knows the cheapest action of a query at which one was tried: the models' guess.
  const std::vector<double>& cost = table.scored.has_value() ? table.scored->predicted : table.cost;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    for (ActionIndex action = 1; action < table.num_actions(); ++action) {
      const std::size_t cell = table.cell(query, action);
      const double best = cost[table.cell(query, oracle[query])];
      if (eligible[cell] != 0 && cost[cell] < best) oracle[query] = action;
    }
  }
  return oracle;
}

namespace {

void AddCluster(const PotentialOutcomes& outcomes, std::size_t cluster, OutcomeTotals& totals) {
  const OutcomeTable& table = *outcomes.table;
  const QueryRange range = table.queries_of(cluster);
  const bool has_success = table.has_success();
  const auto row = static_cast<Eigen::Index>(cluster);
  totals.queries[cluster] = static_cast<double>(range.size());
  for (std::size_t query = range.begin; query < range.end; ++query) {
    for (ActionIndex action = 0; action < table.num_actions(); ++action) {
      const std::size_t cell = table.cell(query, action);
      totals.cost(row, action) += table.cost[cell];
      totals.violations(row, action) += outcomes.violation(query, action);
      if (has_success) totals.successes(row, action) += table.success_at(cell);
    }
    if (!table.adapter_cost.empty()) totals.adapter_cost[cluster] += table.adapter_cost[query];
    const std::size_t best = table.cell(query, outcomes.oracle[query]);
    totals.oracle_cost[cluster] += table.cost[best];
    if (has_success) totals.oracle_successes[cluster] += table.success_at(best);
  }
}

/// Scores of single queries are mostly noise: of a log, what its models predict counts.
double SpreadOf(const OutcomeTable& table) {
  const std::vector<double>& cost = table.scored.has_value() ? table.scored->predicted : table.cost;
  double apart = 0.0;
  double direct = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const double own = cost[table.cell(query, kDirect)];
    direct += std::abs(own);
    for (ActionIndex action = 1; action < table.num_actions(); ++action) {
      apart += std::abs(cost[table.cell(query, action)] - own);
    }
  }
  const auto others = static_cast<double>(table.num_actions() - 1);
  return direct > 0.0 && others > 0.0 ? apart / (others * direct) : 0.0;
}

/// Logs judge violations by their scores, where they have any.
bool CanViolate(const OutcomeTable& table) {
  if (table.scored.has_value()) return !table.scored->violation.empty();
  return !table.eligible.empty() || !table.success.empty() || !table.time.empty();
}

/// The most that a fixed action saves for every success that it loses against the reference: random
/// choices between the two save and lose at this rate. 0 where none is cheaper and worse.
double ExchangeRate(const OutcomeTotals& totals) {
  double rate = 0.0;
  for (Eigen::Index a = 1; a < totals.cost.cols(); ++a) {
    const double saved = totals.cost.col(kDirect).sum() - totals.cost.col(a).sum();
    const double lost = totals.successes.col(kDirect).sum() - totals.successes.col(a).sum();
    if (saved > 0.0 && lost > 0.0) rate = std::max(rate, saved / lost);
  }
  return rate;
}

}  // namespace

double AdapterCharge(const OutcomeTotals& totals, std::size_t cluster, double per_query) {
  const double constant = per_query * totals.queries[cluster];
  return totals.adapter_cost.empty() ? constant : constant + totals.adapter_cost[cluster];
}

double PotentialOutcomes::violation(std::size_t query, ActionIndex action) const {
  const std::size_t cell = table->cell(query, action);
  if (table->scored.has_value()) {
    return table->scored->violation.empty() ? 0.0 : table->scored->violation[cell];
  }
  if (!table->counts_net_success) return 1.0 - eligible[cell];
  return static_cast<double>(table->success[table->cell(query, kDirect)]) - table->success[cell];
}

PotentialOutcomes DeriveOutcomes(const OutcomeTable& table, double rho, double tolerance) {
  PotentialOutcomes outcomes{.table = &table, .rho = rho};
  outcomes.eligible = ComputeEligibility(table, rho, tolerance);
  outcomes.oracle = ComputeOracle(table, outcomes.eligible);
  const auto clusters = static_cast<Eigen::Index>(table.num_clusters());
  const auto actions = static_cast<Eigen::Index>(table.num_actions());
  OutcomeTotals& totals = outcomes.totals;
  totals.queries.assign(table.num_clusters(), 0.0);
  totals.cost = ClusterActionTotals::Zero(clusters, actions);
  totals.violations = ClusterActionTotals::Zero(clusters, actions);
  totals.successes = ClusterActionTotals::Zero(table.has_success() ? clusters : 0, actions);
  totals.counts_net_success =
      table.scored.has_value() ? !table.scored->violation.empty() : table.counts_net_success;
  totals.can_violate = CanViolate(table);
  totals.spread = SpreadOf(table);
  totals.of_rewards = table.of_rewards;
  if (!table.adapter_cost.empty()) totals.adapter_cost.assign(table.num_clusters(), 0.0);
  totals.oracle_cost.assign(table.num_clusters(), 0.0);
  totals.oracle_successes.assign(table.has_success() ? table.num_clusters() : 0, 0.0);
  for (std::size_t k = 0; k < table.num_clusters(); ++k) AddCluster(outcomes, k, totals);
  if (table.prices_success) totals.success_price = ExchangeRate(totals);
  return outcomes;
}

}  // namespace gonogo::audit
