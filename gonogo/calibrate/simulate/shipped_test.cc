// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/truth.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gonogo/audit/learners/ridge_learner.h"
#include "gonogo/calibrate/trials/solve.h"

namespace gonogo::calibrate {
namespace {

using audit::ActionIndex;

LearnerFactory Ridge() {
  return [](const audit::LearningProblem& problem) { return audit::MakeRidgeLearner(problem, {}); };
}

TEST(TruthTest, TheBestSelectorOfOneCandidateGainsWhatTheFormulaSays) {
  // Choosing the candidate where x < 0 saves s |x| on half the queries: s / sqrt(2 pi).
  const World world{.actions = 2, .features = 1, .signal = 0.1, .violation_logit = kNeverViolates};
  const FreshQueries fresh = DrawFreshQueries(world, 100000, RngStream(1));
  std::vector<ActionIndex> choices;
  for (Eigen::Index i = 0; i < fresh.context.rows(); ++i) {
    choices.push_back(fresh.context(i, 0) < 0.0F ? 1 : 0);
  }
  const Truth truth = EvaluateChoices(world, fresh, choices, audit::kDirect, 1, 0.05);
  const double gain = 0.1 / std::sqrt(2.0 * std::numbers::pi);
  EXPECT_NEAR(truth.h_total, gain, 3e-4);
  EXPECT_NEAR(truth.h_alloc, gain, 3e-4);  // both fixed actions cost the same
  EXPECT_NEAR(truth.h_dep, gain, 3e-4);
  EXPECT_EQ(truth.q, 0.0);
}

TEST(TruthTest, AConstantChoiceAllocatesNothingAndViolatesAsItsAction) {
  const World world{.actions = 3, .features = 2, .global_gain = 0.04};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(2));
  const std::vector<ActionIndex> choices(2000, 1);
  const Truth truth = EvaluateChoices(world, fresh, choices, 1, 1, 0.05);
  EXPECT_NEAR(truth.h_alloc, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_dep, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_dep_best, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_total, 0.04, 1e-6);
  EXPECT_GT(truth.q, 0.0);
}

TEST(TruthTest, TheBestFixedActionMustRespectTheConstraint) {
  const World world{.actions = 2, .features = 1, .global_gain = 0.1, .violation_logit = 0.0};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(3));
  const std::vector<ActionIndex> direct(2000, audit::kDirect);
  EXPECT_EQ(EvaluateChoices(world, fresh, direct, 0, 0, 0.05).h_dep_best, 0.0);
  EXPECT_LT(EvaluateChoices(world, fresh, direct, 0, 0, 0.9).h_dep_best, -0.05);
}

TEST(TruthTest, DeservingGoNeedsEveryChannel) {
  const audit::Thresholds thresholds;
  const Truth good{.h_total = 0.03, .h_alloc = 0.02, .h_dep = 0.02, .q = 0.01};
  EXPECT_TRUE(DeservesGo(good, good.h_dep, thresholds));
  EXPECT_FALSE(DeservesGo(good, 0.01, thresholds));  // equality is not above
  Truth worse_than_direct = good;
  worse_than_direct.h_total = -0.001;
  EXPECT_FALSE(DeservesGo(worse_than_direct, good.h_dep, thresholds));
  Truth unsafe = good;
  unsafe.q = 0.051;
  EXPECT_FALSE(DeservesGo(unsafe, good.h_dep, thresholds));
}

TEST(TruthTest, AShippedRidgeAdapterFindsALargeSignal) {
  const World world{.clusters = 20, .actions = 3, .features = 3, .signal = 0.2};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(4));
  const audit::OutcomeTable table = DrawTable(world, RngStream(5));
  const Result<Truth> truth = ShippedTruth(world, fresh, table, Ridge(), 0.05, RngStream(6));
  ASSERT_TRUE(truth.ok());
  // E max(0, two standard normals) = 3 / (2 sqrt(2 pi)) ... times s bounds every selector.
  const double best = 0.2 * 0.6831;
  EXPECT_LT(truth.value().h_total, best + 0.003);
  EXPECT_GT(truth.value().h_total, 0.85 * best);
}

TEST(SolveTest, BisectionPutsTheMeanTruthOnItsTarget) {
  const World world{.clusters = 8, .queries = 20, .actions = 2, .features = 2};
  SolveOptions options{.trainings = 12, .fresh_queries = 1000, .steps = 12, .learner = Ridge()};
  const Target target{&World::signal, 0.0, 0.5, Quantity::kTotal, 0.03};
  const Result<World> solved = SolveWorld(world, target, options, RngStream(7), {.jobs = 1});
  ASSERT_TRUE(solved.ok());
  const Result<Truth> truth = MeanShippedTruth(solved.value(), options, RngStream(7), {.jobs = 1});
  ASSERT_TRUE(truth.ok());
  EXPECT_NEAR(truth.value().h_total, 0.03, 0.0005);
}

TEST(SolveTest, ATargetOutOfReachIsRefusedWithTheRange) {
  const World world{.clusters = 4, .queries = 6, .actions = 2, .features = 1};
  SolveOptions options{.trainings = 2, .fresh_queries = 100, .steps = 2, .learner = Ridge()};
  const Target target{&World::signal, 0.0, 0.01, Quantity::kTotal, 0.9};
  const Result<World> solved = SolveWorld(world, target, options, RngStream(8), {.jobs = 1});
  ASSERT_FALSE(solved.ok());
  EXPECT_NE(solved.error().message.find("H_total 0.9"), std::string::npos);
}

}  // namespace
}  // namespace gonogo::calibrate
