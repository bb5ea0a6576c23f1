// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/choice_totals.h"

#include <cmath>
#include <numeric>

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

double CentredCovariance(const PotentialOutcomes& outcomes, QueryRange range,
                         std::span<const ActionIndex> choices, const ChoiceTotals& totals) {
  const OutcomeTable& table = *outcomes.table;
  const auto queries = static_cast<double>(range.size());
  const std::size_t actions = table.num_actions();
  std::vector<double> share(actions);
  std::vector<double> mean(actions);
  for (std::size_t a = 0; a < actions; ++a) {
    share[a] = totals.count[a] / queries;
    mean[a] = outcomes.totals.cost(totals.cluster, static_cast<Eigen::Index>(a)) / queries;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const double* cost = &table.cost[table.cell(range.begin + i, kDirect)];
    for (std::size_t a = 0; a < actions; ++a) {
      const double indicator = choices[i] == a ? 1.0 : 0.0;
      sum += (indicator - share[a]) * (cost[a] - mean[a]);
    }
  }
  return sum;
}

/// Sum over actions of p_a times the cluster's total of `per_action`.
double UnderMixture(const ClusterActionTotals& per_action, const OutcomeTotals& totals,
                    const ChoiceTotals& choices) {
  double sum = 0.0;
  for (std::size_t a = 0; a < choices.count.size(); ++a) {
    sum += choices.count[a] * per_action(choices.cluster, static_cast<Eigen::Index>(a));
  }
  return sum / totals.queries[choices.cluster];
}

}  // namespace

ChoiceTotals SummariseChoices(const PotentialOutcomes& outcomes, std::size_t cluster,
                              std::span<const ActionIndex> choices) {
  const OutcomeTable& table = *outcomes.table;
  const QueryRange range = table.queries_of(cluster);
  GONOGO_CHECK(choices.size() == range.size());
  const std::size_t actions = table.num_actions();
  ChoiceTotals totals{.cluster = static_cast<std::uint32_t>(cluster),
                      .count = std::vector<std::uint32_t>(actions, 0),
                      .cost = std::vector<double>(actions, 0.0),
                      .direct_cost = std::vector<double>(actions, 0.0)};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::size_t query = range.begin + i;
    const ActionIndex chosen = choices[i];
    const std::size_t cell = table.cell(query, chosen);
    ++totals.count[chosen];
    totals.cost[chosen] += table.cost[cell];
    totals.direct_cost[chosen] += table.cost[table.cell(query, kDirect)];
    totals.violations += outcomes.violation(query, chosen);
    if (table.has_success()) totals.successes += table.success_at(cell);
    if (table.scored.has_value()) {
      totals.predicted_cost += table.scored->predicted[cell];
      totals.weight += table.scored->weight[cell];
      totals.weighted_cost += table.scored->weight[cell] * table.scored->seen[cell];
    }
    if (chosen == outcomes.oracle[query]) totals.oracle_agreements += 1.0;
  }
  totals.covariance = CentredCovariance(outcomes, range, choices, totals);
  return totals;
}

double PolicyCost(const ChoiceTotals& choices) {
  return std::accumulate(choices.cost.begin(), choices.cost.end(), 0.0);
}

double MixtureCost(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  return UnderMixture(totals.cost, totals, choices);
}

double MixtureValue(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  const double cost = MixtureCost(totals, choices);
  if (totals.success_price == 0.0) return cost;
  return cost + totals.success_price *
                    (choices.successes - UnderMixture(totals.successes, totals, choices));
}

double MixtureViolations(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  return UnderMixture(totals.violations, totals, choices);
}

double CovarianceResidual(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  const double mixture = MixtureCost(totals, choices);
  if (mixture == 0.0) return 0.0;
  return std::abs(mixture - PolicyCost(choices) + choices.covariance) / mixture;
}

}  // namespace gonogo::audit
