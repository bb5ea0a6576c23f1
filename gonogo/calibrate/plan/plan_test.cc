// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/plan/plan.h"

#include <gtest/gtest.h>

#include "gonogo/audit/learners/ridge_learner.h"
#include "gonogo/calibrate/plan/plan_search.h"

namespace gonogo::calibrate {
namespace {

/// P(GO) = clusters / 100, as if simulated very often.
Result<PlanPoint> Proportional(std::size_t clusters) {
  PlanPoint point{.clusters = clusters};
  const std::size_t go = std::min<std::size_t>(1000 * clusters, 100000);
  point.answer[static_cast<std::size_t>(Rule::kCalibrated)] = {
      MakeProportion(go, 100000), MakeProportion(0, 100000), MakeProportion(100000 - go, 100000)};
  return point;
}

TEST(PlanTest, FindsTheClustersForEightyAndNinetyPercent) {
  const auto plan = internal::BuildPlan({20}, 640, Rule::kCalibrated, Proportional);
  ASSERT_TRUE(plan.ok());
  EXPECT_NEAR(static_cast<double>(*plan.value().clusters_80), 80.0, 5.0);
  EXPECT_GE(*plan.value().clusters_80, 80U);
  EXPECT_NEAR(static_cast<double>(*plan.value().clusters_90), 90.0, 5.0);
  EXPECT_EQ(plan.value().points.front().clusters, 5U);
}

TEST(PlanTest, SaysSoWhenTheLargestNumberIsNotEnough) {
  const auto plan = internal::BuildPlan({}, 85, Rule::kCalibrated, Proportional);
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan.value().clusters_80.has_value());
  EXPECT_FALSE(plan.value().clusters_90.has_value());
  EXPECT_TRUE(ToJson(plan.value(), Rule::kCalibrated)["clusters_for_90_percent"].is_null());
}

TrialOptions RidgeTrial() {
  TrialOptions options{.refits = 20};
  options.learner = [](const audit::LearningProblem& problem) {
    return audit::MakeRidgeLearner(problem, {});
  };
  return options;
}

TEST(PlanTest, ALargeEffectNeedsFewClustersAndNoEffectIsNeverAGo) {
  PlanOptions options{.world = {.queries = 20,
                                .actions = 2,
                                .features = 2,
                                .signal = 0.4,
                                .violation_logit = kNeverViolates},
                      .clusters = {16},
                      .largest = 0,
                      .data_sets = 10,
                      .trial = RidgeTrial()};
  const auto large = PlanFromWorld(options, {.jobs = 1});
  ASSERT_TRUE(large.ok());
  EXPECT_GE(large.value().points[0].go(Rule::kCalibrated).count, 8U);
  options.world.signal = 0.0;
  const auto none = PlanFromWorld(options, {.jobs = 1});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none.value().points[0].go(Rule::kCalibrated).count, 0U);
}

TEST(PlanTest, APilotWithAClearEffectPromisesGoWithMoreClusters) {
  const World world{.clusters = 8,
                    .queries = 20,
                    .actions = 2,
                    .features = 2,
                    .signal = 0.4,
                    .violation_logit = -3.5};
  const audit::OutcomeTable table = DrawTable(world, RngStream(3));
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(table, 1.0);
  const auto problem = audit::SelectFeatures(outcomes, {});
  ASSERT_TRUE(problem.ok());
  const auto learner = audit::MakeRidgeLearner(problem.value(), {});
  ASSERT_TRUE(learner.ok());
  const auto run = [&](const std::vector<audit::RefitTask>& tasks) {
    return audit::RunRefits(problem.value(), *learner.value(), {}, tasks, {}, {.jobs = 1});
  };
  const auto folds = run(audit::CrossFitTasks(8, RngStream(4)));
  const auto replicates = run(audit::BootstrapTasks(8, 60, RngStream(4)));
  ASSERT_TRUE(folds.ok() && replicates.ok());
  PilotPlanOptions options{.clusters = {8, 80}, .largest = 0, .draws = 200};
  const auto plan = PlanFromPilot(outcomes.totals, folds.value(), replicates.value(), {}, options);
  ASSERT_TRUE(plan.ok());
  const double few = plan.value().points[0].go(Rule::kCalibrated).share();
  const double many = plan.value().points[1].go(Rule::kCalibrated).share();
  EXPECT_GT(many, 0.5);
  EXPECT_LT(few, many);
}

}  // namespace
}  // namespace gonogo::calibrate
