// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/first_clusters.h"

#include "gonogo/base/check.h"

namespace gonogo::audit {

OutcomeTable FirstClusters(OutcomeTable table, std::size_t clusters) {
  GONOGO_CHECK(clusters <= table.num_clusters());
  table.clusters.resize(clusters);
  table.cluster_begin.resize(clusters + 1);
  const std::size_t queries = table.num_queries();
  const std::size_t cells = queries * table.num_actions();
  const auto cut = [](auto& values, std::size_t size) {
    if (!values.empty()) values.resize(size);
  };
  cut(table.queries, queries);
  cut(table.cost, cells);
  cut(table.time, cells);
  cut(table.success, cells);
  cut(table.eligible, cells);
  cut(table.choice, queries);
  cut(table.adapter_cost, queries);
  if (table.logged.has_value()) {
    LoggedOutcomes& log = *table.logged;
    cut(log.action, queries);
    cut(log.cost, queries);
    cut(log.time, queries);
    cut(log.success, queries);
    cut(log.eligible, queries);
    cut(log.propensity, queries);
  }
  for (FeatureGroup& group : table.features) {
    group.values.conservativeResize(static_cast<Eigen::Index>(queries), Eigen::NoChange);
  }
  for (ActionFeatureGroup& group : table.action_features) {
    group.values.conservativeResize(static_cast<Eigen::Index>(cells), Eigen::NoChange);
  }
  for (NamedOutcome& outcome : table.other_outcomes) cut(outcome.values, cells);
  return table;
}

}  // namespace gonogo::audit
