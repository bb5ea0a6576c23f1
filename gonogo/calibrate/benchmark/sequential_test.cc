// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/sequential.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace gonogo::calibrate {
namespace {

BenchmarkOptions SmallSeries() {
  BenchmarkOptions options;
  options.cells = {
      {.name = "small",
       .role = CellRole::kEffect,
       .purpose = "a test",
       .world = {.clusters = 8, .queries = 12, .actions = 3, .features = 3, .signal = 0.1}}};
  options.data_sets = 5;
  options.simulation.protocol.rule.looks_at = {6, 12};
  options.simulation.protocol.bootstrap.refits = 12;
  options.simulation.fresh_queries = 500;
  return options;
}

nlohmann::json ReportOf(const BenchmarkOptions& options, int jobs) {
  return ToJson(options, RunSequential(options, {.jobs = jobs}).value());
}

TEST(SequentialTest, AnInterruptedRunGoesOnToTheSameNumbersOnAnyNumberOfThreads) {
  BenchmarkOptions options = SmallSeries();
  const nlohmann::json whole = ReportOf(options, 3);
  options.directory = std::filesystem::path(testing::TempDir()) / "gonogo_sequential_test";
  std::filesystem::remove_all(options.directory);
  std::stop_source stop;
  const auto stopped = RunSequential(
      options, {.jobs = 1, .stop = stop.get_token(), .progress = [&](std::size_t done, auto) {
                  if (done == 2) stop.request_stop();
                }});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(ReportOf(options, 1), whole);
  options.finished_only = true;
  options.data_sets = 100;
  EXPECT_EQ(ReportOf(options, 1)["cells"], whole["cells"]);
  std::filesystem::remove_all(options.directory);
}

TEST(SequentialTest, EverySeriesEndsOnceAndClustersAreCountedWhereItEnds) {
  const BenchmarkOptions options = SmallSeries();
  const auto cells = RunSequential(options, {.jobs = 1}).value();
  for (const SequentialRule& rule : cells[0].rule) {
    EXPECT_EQ(rule.go.count + rule.no_go.count + rule.futile.count + rule.undecided.count, 5U);
    EXPECT_EQ(rule.ends[0].count + rule.ends[1].count, 5U);
    EXPECT_NEAR(rule.mean_clusters, 6.0 * rule.ends[0].share() + 12.0 * rule.ends[1].share(),
                1e-12);
  }
}

}  // namespace
}  // namespace gonogo::calibrate
