// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/method_summary.h"

#include <gtest/gtest.h>

#include "gonogo/study/evaluate/rescue.h"
#include "gonogo/study/evaluate/scale_oracle.h"

namespace gonogo::study {
namespace {

/// The second method needs 0.9, 0.8 and 1.1 of the work of the first on three seeds.
Evaluation HandMade() {
  Evaluation evaluation{.methods = {"direct", "other"}};
  const std::array factors{0.9, 0.8, 1.1};
  for (std::size_t method = 0; method < 2; ++method) {
    for (std::size_t seed = 0; seed < 3; ++seed) {
      for (int trial = 0; trial < 2; ++trial) {
        EvaluatedEpisode record{.method = method, .seed = seed, .trial = trial};
        record.result.work_j = (100.0 + 20.0 * trial) * (method == 0 ? 1.0 : factors.at(seed));
        record.result.path_m = 2.0;
        record.result.effort = 1.0 + trial;
        record.result.success = trial == 0;
        record.active = static_cast<int>(method) * 3;
        evaluation.episodes.push_back(record);
      }
    }
  }
  return evaluation;
}

TEST(MethodSummaryTest, SummariesAreMeansOverEpisodes) {
  const std::vector<MethodSummary> summaries = SummariseAll(HandMade());
  EXPECT_EQ(summaries[0].episodes, 6U);
  EXPECT_DOUBLE_EQ(summaries[0].work_j, 110.0);
  EXPECT_DOUBLE_EQ(summaries[0].work_per_metre, 55.0);
  EXPECT_DOUBLE_EQ(summaries[0].success, 0.5);
  EXPECT_DOUBLE_EQ(summaries[0].effort, 1.5);
  EXPECT_LT(summaries[0].success_interval.lower, 0.5);
  EXPECT_GT(summaries[0].success_interval.upper, 0.5);
  EXPECT_DOUBLE_EQ(summaries[1].active, 3.0);
}

TEST(MethodSummaryTest, PairedDifferencesArePerSeedOnTheSameStarts) {
  const auto work = ComparePaired(HandMade(), 1, 0, Work);
  ASSERT_EQ(work.size(), 3U);
  EXPECT_NEAR(work[0].relative(), -0.1, 1e-12);
  EXPECT_NEAR(work[1].relative(), -0.2, 1e-12);
  EXPECT_NEAR(work[2].relative(), 0.1, 1e-12);
  EXPECT_NEAR(work[2].absolute(), 11.0, 1e-12);
  EXPECT_DOUBLE_EQ(SignTest(work), 1.0);               // two against one of three
  EXPECT_DOUBLE_EQ(SignTest({work.begin(), 2}), 0.5);  // two of two: 2 / 2²
}

/// Starts (columns) under three scales (rows); a cost of 0 is a failure.
Evaluation Scales(const std::vector<std::vector<double>>& cots, const std::vector<double>& times) {
  Evaluation evaluation{.methods = {"direct", "scale-0.90", "scale-0.75"}};
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t i = 0; i < cots[m].size(); ++i) {
      EvaluatedEpisode record{.method = m, .trial = static_cast<int>(i)};
      record.result.success = cots[m][i] > 0.0;
      record.result.cot = cots[m][i];
      record.result.time_s = times[m];
      evaluation.episodes.push_back(record);
    }
  }
  return evaluation;
}

TEST(ScaleOracleTest, ComparesTheBestScaleOfEachEpisodeWithTheBestForAll) {
  // Means over the three common successes: 0.8, 0.7, 0.7333; oracle (0.7 + 0.6 + 0.6) / 3.
  const Evaluation evaluation =
      Scales({{0.8, 0.8, 0.8, 0.5}, {0.7, 0.8, 0.6, 0.0}, {0.9, 0.6, 0.7, 0.5}}, {2, 2, 2});
  const ScaleOracle oracle = FindScaleOracle(evaluation, evaluation.methods, RngStream(1));
  EXPECT_EQ(oracle.episodes, 3U);
  EXPECT_EQ(oracle.scales[oracle.best].method, "scale-0.90");
  EXPECT_NEAR(oracle.scales[1].mean_cot, 0.7, 1e-12);
  EXPECT_NEAR(oracle.scales[0].share, 0.0, 1e-12);
  EXPECT_NEAR(oracle.scales[1].share, 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(oracle.scales[2].share, 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(oracle.gap, 1.0 - 1.9 / 2.1, 1e-12);
  EXPECT_GE(oracle.interval.lower, 0.0) << "the oracle is never worse than a single scale";
  EXPECT_GE(oracle.interval.upper, oracle.gap);
}

TEST(ScaleOracleTest, WithoutACommonSuccessThereIsNothingToSay) {
  const Evaluation evaluation = Scales({{0.8, 0.0}, {0.0, 0.7}, {0.9, 0.9}}, {2, 2, 2});
  EXPECT_EQ(FindScaleOracle(evaluation, evaluation.methods, RngStream(1)).episodes, 0U);
}

TEST(IsoTimeTest, InterpolatesTheFrontierAtTheMethodsTime) {
  Evaluation evaluation = Scales({{0.8, 0.8}, {0.7, 0.7}, {0.6, 0.6}}, {2.0, 2.2, 2.6});
  evaluation.methods[1] = "vgcc";  // at 2.2 s the line from (2.0, 0.8) to (2.6, 0.6) is at 0.7333
  const auto compared = CompareAtEqualTime(evaluation, {"direct", "scale-0.75"}, RngStream(1));
  ASSERT_EQ(compared.size(), 1U);
  EXPECT_EQ(compared[0].method, "vgcc");
  ASSERT_TRUE(compared[0].frontier_cot.has_value());
  EXPECT_NEAR(*compared[0].frontier_cot, 0.8 - 0.2 / 3.0, 1e-12);
  EXPECT_NEAR(*compared[0].excess(), 0.7 / (0.8 - 0.2 / 3.0) - 1.0, 1e-12);
  ASSERT_TRUE(compared[0].interval.has_value());
  EXPECT_NEAR(compared[0].interval->width(), 0.0, 1e-12) << "both starts are alike";
  EXPECT_FALSE(CotAt({{2.0, 0.8}, {2.6, 0.6}}, 2.7).has_value()) << "slower than every scale";
}

TEST(RescueTest, PrefersAStartThatTheReferenceFails) {
  Evaluation evaluation{.methods = {"direct", "vgcc"}};
  const auto add = [&](std::size_t method, int trial, bool success, int rescues) {
    EvaluatedEpisode record{.method = method, .trial = trial};
    record.result.success = success;
    record.reasons[static_cast<std::size_t>(control::Reason::kRescue)] = rescues;
    evaluation.episodes.push_back(record);
  };
  for (int trial = 0; trial < 3; ++trial) add(0, trial, trial != 1, 0);
  EXPECT_FALSE([&] {
    Evaluation without = evaluation;
    without.methods.pop_back();
    return FindRescue(without).has_value();
  }());
  add(1, 0, true, 9);
  add(1, 1, true, 2);
  add(1, 2, true, 0);
  const auto found = FindRescue(evaluation);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->method->trial, 1);
  EXPECT_EQ(found->reference->trial, 1);
}

}  // namespace
}  // namespace gonogo::study
