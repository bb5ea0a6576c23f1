// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/thin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/calibrate/trials/trial.h"

namespace gonogo::calibrate {
namespace {

World SmallLog(Logging logging) {
  World world{.clusters = 12, .queries = 20, .actions = 2, .features = 4, .signal = 0.3};
  world.logging = logging;
  world.baseline_feature = true;
  return world;
}

TEST(ThinTest, ShowsOneActionOfEveryQueryAndHowLikelyItWas) {
  const World world = SmallLog(Logging::kWeak);
  const audit::OutcomeTable full = DrawTable(world, RngStream(1));
  const audit::OutcomeTable log = Thin(world, full, RngStream(2));
  ASSERT_TRUE(log.logged.has_value());
  double weights = 0.0;
  double least = 1.0;
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const audit::ActionIndex action = log.logged->action[query];
    EXPECT_EQ(log.logged->cost[query], full.cost[full.cell(query, action)]);
    EXPECT_EQ(log.logged->eligible[query], full.eligible[full.cell(query, action)]);
    weights += 0.5 / log.logged->propensity[query];
    least = std::min(least, log.logged->propensity[query]);
  }
  EXPECT_NEAR(weights / static_cast<double>(full.num_queries()), 1.0, 0.15);
  EXPECT_LT(least, 0.15);
  EXPECT_TRUE(Thin(SmallLog(Logging::kEstimated), full, RngStream(2)).logged->propensity.empty());
}

TEST(ThinTest, TriesSomethingElseAsOftenAsItIsTold) {
  World world = SmallLog(Logging::kEven);
  world.clusters = 100;
  world.actions = 3;
  world.exploration = 0.2;
  const audit::OutcomeTable full = DrawTable(world, RngStream(1));
  const audit::OutcomeTable log = Thin(world, full, RngStream(2));
  double others = 0.0;
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const bool direct = log.logged->action[query] == audit::kDirect;
    EXPECT_NEAR(log.logged->propensity[query], direct ? 0.8 : 0.1, 1e-12);
    others += direct ? 0.0 : 1.0;
  }
  EXPECT_NEAR(others / static_cast<double>(full.num_queries()), 0.2, 0.03);
}

TEST(ThinTest, TellsTheTruthAboutAnAdapterLearnedFromALogAndKeepsItsFits) {
  const World world = SmallLog(Logging::kEven);
  TrialOptions options{.refits = 10, .halves = 0, .fresh_queries = 4000};
  options.learner =
      [](const audit::LearningProblem& problem) -> Result<std::unique_ptr<audit::Learner>> {
    return audit::MakeLearner(
        {.kind = audit::LearnerKind::kRidge},
        GONOGO_TRY(audit::WithTarget(problem, audit::LearnerTarget::kDifference)));
  };
  const FreshQueries fresh = DrawFreshQueries(world, 4000, RngStream(3));
  const TrialFits fits = FitTrial(world, fresh, options, RngStream(4)).value();
  // Choosing by the sign of x alone would save 0.3 E max(0, -x) = 12 %.
  EXPECT_GT(fits.truth.h_total, 0.08);
  EXPECT_LT(fits.truth.h_total, 0.125);
  const Trial trial = JudgeTrial(world, fits, options, RngStream(4));
  const auto again = RestoreFits(EncodeFits(fits, true), world, options, RngStream(4));
  ASSERT_TRUE(again.has_value());
  const Trial judged = JudgeTrial(world, *again, options, RngStream(4));
  for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
    for (std::size_t i = 0; i < kQuantities.size(); ++i) {
      EXPECT_EQ(judged.outcome[rule].interval[i].lower, trial.outcome[rule].interval[i].lower);
      EXPECT_EQ(judged.outcome[rule].interval[i].upper, trial.outcome[rule].interval[i].upper);
    }
  }
}

}  // namespace
}  // namespace gonogo::calibrate
