// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/log_report.h"

#include "gonogo/base/check.h"

namespace gonogo::audit {

ValueEstimates ValueOfAction(const OutcomeTable& table, ActionIndex action) {
  GONOGO_CHECK(table.scored.has_value());
  const ScoredOutcomes& scores = *table.scored;
  double score = 0.0;
  double weight = 0.0;
  double weighted = 0.0;
  double predicted = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t cell = table.cell(query, action);
    score += table.cost[cell];
    weight += scores.weight[cell];
    weighted += scores.weight[cell] * scores.seen[cell];
    predicted += scores.predicted[cell];
  }
  const auto queries = static_cast<double>(table.num_queries());
  return {score / queries, weighted / weight, predicted / queries};
}

ValueEstimates ValueOfChoices(const std::vector<const ChoiceTotals*>& clusters, double queries) {
  double score = 0.0;
  double weight = 0.0;
  double weighted = 0.0;
  double predicted = 0.0;
  for (const ChoiceTotals* choices : clusters) {
    score += PolicyCost(*choices);
    weight += choices->weight;
    weighted += choices->weighted_cost;
    predicted += choices->predicted_cost;
  }
  return {score / queries, weighted / weight, predicted / queries};
}

}  // namespace gonogo::audit
