// SPDX-License-Identifier: Apache-2.0
// One refit of the size that algorithm selection has: 1,000 queries, 11 actions, 140 features, 50
// clusters. An audit makes 200 of them and one per cluster.
#include <algorithm>

#include <benchmark/benchmark.h>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"
#include "gonogo/base/testing/bench_size.h"

namespace gonogo::audit {
namespace {

const std::size_t kQueries = bench::BenchSize(1000, 100);
const std::size_t kClusters = bench::BenchSize(50, 10);
constexpr std::size_t kActions = 11;
constexpr Eigen::Index kFeatures = 140;

/// Which tenth of the range the first feature lies in tells the cheap action.
OutcomeTable MakeTable() {
  Rng rng = RngStream(1).Generator();
  OutcomeTable table;
  for (std::size_t a = 0; a < kActions; ++a) table.actions.push_back("a" + std::to_string(a));
  FeatureGroup group{.name = "f",
                     .values = FeatureMatrix(static_cast<Eigen::Index>(kQueries), kFeatures)};
  group.columns.resize(kFeatures);
  for (std::size_t query = 0; query < kQueries; ++query) {
    if (query % (kQueries / kClusters) == 0) {
      table.cluster_begin.push_back(query);
      table.clusters.push_back(std::to_string(query));
    }
    table.queries.push_back(std::to_string(query));
    const auto row = static_cast<Eigen::Index>(query);
    for (Eigen::Index j = 0; j < kFeatures; ++j) {
      group.values(row, j) = static_cast<float>(rng.Uniform());
    }
    const auto cheap = static_cast<std::size_t>(10.0F * group.values(row, 0)) + 1;
    for (std::size_t a = 0; a < kActions; ++a) {
      table.cost.push_back((a == cheap ? 20.0 : 100.0) * (1.0 + 0.2 * rng.Uniform()));
      table.success.push_back(1);
    }
  }
  table.cluster_begin.push_back(kQueries);
  table.features.push_back(std::move(group));
  return table;
}

void FitOnce(benchmark::State& state, LearnerKind kind) {
  const OutcomeTable table = MakeTable();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.0);
  LearnerConfig config{.kind = kind};
  config.target = LearnerTarget::kDifference;
  const LearningProblem problem = MakeProblem(outcomes, config).value();
  const std::unique_ptr<Learner> learner = MakeLearner(config, problem).value();
  const stats::ClusterSplit split = stats::BootstrapSplit(kClusters, RngStream(2));
  const std::unique_ptr<FittedLearner> fitted = learner->Fit(split, RngStream(3), {});
  std::size_t right = 0;
  std::size_t asked = 0;
  for (const std::size_t cluster : stats::HeldOut(split)) {
    MemberPredictions predictions;
    fitted->Predict(table.queries_of(cluster), predictions);
    std::vector<ActionIndex> choices(predictions.queries);
    SelectActions(predictions, problem.time_limit(), {}, choices);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      right += choices[i] == outcomes.oracle[table.queries_of(cluster).begin + i] ? 1 : 0;
      ++asked;
    }
  }
  GONOGO_CHECK(bench::TinyBenchmarks() || right > asked / 2);  // of eleven
  state.counters["right"] = static_cast<double>(right) / static_cast<double>(asked);
  for (auto _ : state) benchmark::DoNotOptimize(learner->Fit(split, RngStream(3), {}));
}

void BM_FitForest(benchmark::State& state) { FitOnce(state, LearnerKind::kForest); }
BENCHMARK(BM_FitForest)->Unit(benchmark::kMillisecond);

/// The baseline: XGBoost's trees, one model per output. Debian's version (1.7) has no trees with
/// several outputs.
void BM_FitBoostedTrees(benchmark::State& state) { FitOnce(state, LearnerKind::kTrees); }
BENCHMARK(BM_FitBoostedTrees)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::audit
