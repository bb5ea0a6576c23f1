// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/join_tables.h"

namespace gonogo::calibrate {
namespace {

/// Outcomes of every action behind the scores of a log.
void AppendToScores(const audit::OutcomeTable& fresh, audit::ScoredOutcomes& scores) {
  for (const std::uint8_t eligible : fresh.eligible) scores.violation.push_back(1.0 - eligible);
  scores.predicted.insert(scores.predicted.end(), fresh.cost.begin(), fresh.cost.end());
  scores.seen.insert(scores.seen.end(), fresh.cost.begin(), fresh.cost.end());
  scores.weight.resize(scores.seen.size(), 1.0);
}

}  // namespace

audit::OutcomeTable JoinTables(const audit::OutcomeTable& table, const audit::OutcomeTable& fresh) {
  audit::OutcomeTable both = table;
  const std::size_t before = table.num_queries();
  for (std::size_t k = 0; k < fresh.num_clusters(); ++k) {
    both.clusters.push_back("fresh " + fresh.clusters[k]);
    both.cluster_begin.push_back(before + fresh.cluster_begin[k + 1]);
  }
  both.queries.clear();  // names may be in both
  both.cost.insert(both.cost.end(), fresh.cost.begin(), fresh.cost.end());
  if (both.scored.has_value()) {
    AppendToScores(fresh, *both.scored);
  } else {
    both.time.insert(both.time.end(), fresh.time.begin(), fresh.time.end());
    both.success.insert(both.success.end(), fresh.success.begin(), fresh.success.end());
    both.eligible.insert(both.eligible.end(), fresh.eligible.begin(), fresh.eligible.end());
  }
  audit::FeatureMatrix& x = both.features[0].values;
  const audit::FeatureMatrix& added = fresh.features[0].values;
  x.conservativeResize(x.rows() + added.rows(), Eigen::NoChange);
  x.bottomRows(added.rows()) = added;
  return both;
}

}  // namespace gonogo::calibrate
