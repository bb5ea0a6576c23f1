// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/advice.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

constexpr double kHeavyCluster = 0.25;  // of the reference's cost
constexpr double kHeavyQuery = 0.05;
constexpr double kHugeRatio = 1000.0;

bool IsLearned(const AuditResult& result) {
  return result.interval_kind != IntervalKind::kFixedChoices;
}

std::string OtherTargets(const LearnerConfig& learner, bool is_log) {
  return is_log || TargetOf(learner) == LearnerTarget::kDifference
             ? "--learner all"
             : "--target difference, or --learner all --target all";
}

}  // namespace

CostConcentration ConcentrationOf(const OutcomeTable& table) {
  CostConcentration found;
  double total = 0.0;
  double largest_cluster = 0.0;
  double largest_query = 0.0;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    double cluster = 0.0;
    for (std::size_t query = range.begin; query < range.end; ++query) {
      const auto costs = table.cost.begin() + static_cast<long>(table.cell(query, kDirect));
      const double reference = *costs;
      cluster += reference;
      largest_query = std::max(largest_query, reference);
      const double dearest =
          *std::max_element(costs, costs + static_cast<long>(table.num_actions()));
      found.largest_ratio = std::max(found.largest_ratio, dearest / reference);
    }
    total += cluster;
    largest_cluster = std::max(largest_cluster, cluster);
  }
  found.largest_cluster = largest_cluster / total;
  found.largest_query = largest_query / total;
  return found;
}

std::vector<std::string> Advice(const OutcomeTable& table, const AuditResult& result) {
  std::vector<std::string> advice;
  if (IsLearned(result) && result.point.activation == 0.0) {
    advice.push_back(fmt::format(
        "the selector departs from the reference on 0 % of queries: this reading is about this "
        "learner, not about the domain; for other readings, which decide nothing, try {}",
        OtherTargets(result.protocol.learner, table.scored.has_value())));
  }
  if (table.scored.has_value()) return advice;  // scores of single queries are no costs
  const CostConcentration cost = ConcentrationOf(table);
  if (cost.largest_cluster > kHeavyCluster || cost.largest_query > kHeavyQuery) {
    advice.push_back(fmt::format(
        "heavy tail: one cluster holds {} of the reference's cost and one query {}: a few of them "
        "decide every share of the cost",
        Percent(cost.largest_cluster), Percent(cost.largest_query)));
  }
  if (IsLearned(result) && TargetOf(result.protocol.learner) == LearnerTarget::kRatio &&
      cost.largest_ratio > kHugeRatio) {
    advice.push_back(fmt::format(
        "an action costs up to {:.3g} times the reference: a learner of ratios is governed by "
        "queries at which the reference costs next to nothing; learner.target = \"difference\" "
        "weighs queries as the sums do",
        cost.largest_ratio));
  }
  return advice;
}

}  // namespace gonogo::audit
