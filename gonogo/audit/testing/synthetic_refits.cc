// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/testing/synthetic_refits.h"

#include <cmath>
#include <string>

#include "gonogo/audit/refit/audit_tasks.h"

namespace gonogo::audit::internal {
namespace {

Refit Score(const PotentialOutcomes& outcomes, const SyntheticSelector& selector,
            stats::ClusterSplit split) {
  Refit refit{.split = std::move(split)};
  for (const std::size_t k : stats::HeldOut(refit.split)) {
    const QueryRange range = outcomes.table->queries_of(k);
    std::vector<ActionIndex> choices;
    for (std::size_t query = range.begin; query < range.end; ++query) {
      choices.push_back(selector(refit.split.multiplicity, query));
    }
    refit.held_out.push_back(SummariseChoices(outcomes, k, choices));
  }
  return refit;
}

}  // namespace

OutcomeTable MakeSyntheticTable(const SyntheticSizes& sizes, std::uint64_t seed) {
  OutcomeTable table;
  Rng rng = RngStream(seed).Child("table").Generator();
  for (std::size_t a = 0; a < sizes.actions; ++a) table.actions.push_back(std::to_string(a));
  table.cluster_begin = {0};
  for (std::size_t k = 0; k < sizes.clusters; ++k) {
    table.clusters.push_back(std::to_string(k));
    const std::size_t queries = sizes.queries + sizes.growth * k;
    table.cluster_begin.push_back(table.cluster_begin.back() + queries);
    std::vector<double> level(sizes.actions);
    for (double& value : level) value = 0.2 * rng.Normal();
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t a = 0; a < sizes.actions; ++a) {
        table.cost.push_back(std::exp(level[a] + 0.5 * rng.Normal()));
        table.eligible.push_back(a == kDirect || rng.Uniform() < 0.95 ? 1 : 0);
      }
    }
  }
  return table;
}

void RunSyntheticRefits(const SyntheticSelector& selector, std::size_t replicates,
                        std::uint64_t seed, SyntheticAudit& audit) {
  audit.outcomes = DeriveOutcomes(audit.table, 1.1);
  audit.folds.clear();
  audit.replicates.clear();
  const std::size_t clusters = audit.table.num_clusters();
  for (std::size_t k = 0; k < clusters; ++k) {
    audit.folds.push_back(Score(audit.outcomes, selector, stats::LeaveOneOut(clusters, k)));
  }
  for (RefitTask& task : BootstrapTasks(clusters, replicates, RngStream(seed))) {
    audit.replicates.push_back(Score(audit.outcomes, selector, std::move(task.split)));
  }
}

}  // namespace gonogo::audit::internal
