// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/calibrate/plan/assumed_plan.h"

namespace gonogo::calibrate {
namespace {

/// P(GO) = clusters / 100, as if simulated very often.
Result<PlanPoint> Proportional(std::size_t clusters) {
  PlanPoint point{.clusters = clusters};
  const std::size_t go = std::min<std::size_t>(1000 * clusters, 100000);
  point.answer[static_cast<std::size_t>(RuleUnderTest::kCalibrated)] = {
      MakeProportion(go, 100000), MakeProportion(0, 100000), MakeProportion(100000 - go, 100000)};
  return point;
}

TEST(PlanTest, FindsTheClustersForEightyAndNinetyPercent) {
  const auto plan = BuildPlan({.clusters = {20}, .largest = 640}, Proportional);
  ASSERT_TRUE(plan.ok());
  EXPECT_NEAR(static_cast<double>(*plan.value().clusters_80), 80.0, 5.0);
  EXPECT_GE(*plan.value().clusters_80, 80U);
  EXPECT_NEAR(static_cast<double>(*plan.value().clusters_90), 90.0, 5.0);
  EXPECT_EQ(plan.value().points.front().clusters, 5U);
}

TEST(PlanTest, SaysSoWhenTheLargestNumberIsNotEnough) {
  const auto plan = BuildPlan({.largest = 85}, Proportional);
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan.value().clusters_80.has_value());
  EXPECT_FALSE(plan.value().clusters_90.has_value());
  EXPECT_TRUE(
      ToJson(plan.value(), RuleUnderTest::kCalibrated)["clusters_for_90_percent"].is_null());
}

TEST(PlanTest, FewerClustersThanDeclaredPromiseNothing) {
  const auto plan = BuildPlan({.clusters = {9, 90}, .fewest = 85, .largest = 640}, Proportional);
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan.value().points.front().decides);
  EXPECT_EQ(plan.value().points.front().clusters, 9U);
  EXPECT_EQ(plan.value().clusters_80, 85U);  // 80 would have the power, but no decision
  const auto out_of_reach = BuildPlan({.fewest = 85, .largest = 84}, Proportional);
  EXPECT_FALSE(out_of_reach.value().clusters_80.has_value());
}

SimulationOptions QuickRidge() {
  SimulationOptions options;
  options.protocol.bootstrap.refits = 20;
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
                      .simulation = QuickRidge()};
  const auto large = PlanFromWorld(options, {.jobs = 1});
  ASSERT_TRUE(large.ok());
  EXPECT_GE(large.value().points[0].go(RuleUnderTest::kCalibrated).count, 8U);
  options.world.signal = 0.0;
  const auto none = PlanFromWorld(options, {.jobs = 1});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none.value().points[0].go(RuleUnderTest::kCalibrated).count, 0U);
}

/// A pilot of eight clusters whose adapter clearly pays.
struct Pilot {
  audit::OutcomeTable table = DrawTable({.clusters = 8,
                                         .queries = 20,
                                         .actions = 2,
                                         .features = 2,
                                         .signal = 0.4,
                                         .violation_logit = -3.5},
                                        RngStream(3));
  audit::Protocol protocol = [] {
    audit::Protocol declared;
    declared.learner.kind = audit::LearnerKind::kRidge;
    declared.bootstrap.refits = 60;
    declared.min_clusters = 8;
    return declared;
  }();

  [[nodiscard]] Plan PlanFor(std::vector<std::size_t> clusters) const {
    const audit::AuditResult result = audit::RunAudit(table, protocol, {}, {.jobs = 1}).value();
    return PlanFromPilot(table, result,
                         {.clusters = std::move(clusters), .largest = 0, .draws = 200})
        .value();
  }
};

double Go(const PlanPoint& point) { return point.go(RuleUnderTest::kCalibrated).share(); }

TEST(PlanTest, APilotWithAClearEffectPromisesGoWithMoreClusters) {
  const Plan plan = Pilot().PlanFor({8, 80});
  EXPECT_GT(Go(plan.points[1]), 0.25);
  EXPECT_LT(Go(plan.points[0]), Go(plan.points[1]));
}

TEST(PlanTest, LooksOnTheWaySaveClustersAndLoseLittle) {
  Pilot pilot;
  pilot.protocol.rule.looks_at = {20, 40, 80, 160};
  const Plan plan = pilot.PlanFor({160});
  ASSERT_TRUE(plan.sequential.has_value());
  const SequentialPlan& looks = *plan.sequential;
  EXPECT_LT(looks.mean_clusters, 160.0);
  EXPECT_GE(looks.mean_clusters, 20.0);
  std::size_t ended = 0;
  double mean = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    ended += looks.ends[i].count;
    mean += looks.ends[i].share() * static_cast<double>(looks.looks_at[i]);
  }
  EXPECT_EQ(ended, 200U);
  EXPECT_NEAR(looks.mean_clusters, mean, 1e-9);
  EXPECT_LE(looks.answer[0].share(), 1.0);
  // A single look at the end has all of the error to itself.
  EXPECT_GE(looks.one_look[0].share() + 0.1, looks.answer[0].share());
}

TEST(PlanTest, AnAdapterThatCostsMoreThanItSavesIsNotPromisedAGo) {
  Pilot pilot;
  pilot.protocol.rule.adapter_cost = 1e9;
  const Plan plan = pilot.PlanFor({80});
  EXPECT_EQ(Go(plan.points[0]), 0.0);
  EXPECT_EQ(plan.points[0].answer[static_cast<std::size_t>(RuleUnderTest::kCalibrated)][1].share(),
            1.0);
}

TEST(PlanTest, ATimeToleranceCountsInAPlanAsInAnAudit) {
  // At every other query the other action is a little slower than allowed, which the tolerance
  // forgives and no feature tells.
  Pilot pilot;
  const std::size_t cells = pilot.table.num_queries() * pilot.table.num_actions();
  pilot.table.eligible.clear();
  pilot.table.time.assign(cells, 1.0);
  for (std::size_t i = 1; i < cells; i += 4) pilot.table.time[i] = 1.12;
  const Plan strict = pilot.PlanFor({80});
  pilot.protocol.time_tolerance = 0.05;
  const Plan lenient = pilot.PlanFor({80});
  EXPECT_EQ(Go(strict.points[0]), 0.0);
  EXPECT_GT(Go(lenient.points[0]), 0.5);
}

}  // namespace
}  // namespace gonogo::calibrate
