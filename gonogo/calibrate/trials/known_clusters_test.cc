// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/known_clusters.h"

#include <gtest/gtest.h>

#include "gonogo/audit/learners/ridge_learner.h"
#include "gonogo/calibrate/trials/trial.h"

namespace gonogo::calibrate {
namespace {

LearnerFactory QuickRidge() {
  return [](const audit::LearningProblem& problem) {
    return audit::MakeRidgeLearner(problem, {.members = 2, .penalties = {1.0}});
  };
}

TEST(KnownClustersTest, DealsOnePartIntoBlocksAndKeepsTheRestForTheTruth) {
  const World world{.clusters = 6, .queries = 10, .actions = 3, .features = 2};
  const KnownClusters known = DrawKnownClusters(world, 12, RngStream(1)).value();
  EXPECT_EQ(known.table.num_clusters(), 12U);
  EXPECT_EQ(known.table.num_queries(), 60U);
  for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(known.table.queries_of(k).size(), 5U);
  EXPECT_EQ(known.oracle.num_queries(), 60U);
  EXPECT_EQ(known.rest.num_queries(), 6U * 59U * 10U);
}

TEST(KnownClustersTest, TheTruthIsWhatTheShippedAdapterSavesAtTheRest) {
  const World world{.clusters = 6, .queries = 10, .actions = 3, .features = 2, .signal = 0.3};
  KnownClusters known = DrawKnownClusters(world, 12, RngStream(2)).value();
  known.rest = known.table;  // queries the adapter was trained on: counted here by hand
  const Truth truth = KnownTruth(known, QuickRidge(), 0.05, RngStream(3)).value();
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(known.table, 1.0);
  const audit::LearningProblem problem = audit::SelectFeatures(outcomes, {}).value();
  const std::unique_ptr<audit::Learner> learner = QuickRidge()(problem).value();
  const std::vector<std::uint32_t> once(12, 1);
  audit::MemberPredictions predictions;
  learner->Fit({once}, RngStream(3).Child("learner"), {})->Predict({0, 60}, predictions);
  std::vector<audit::ActionIndex> choices(60);
  audit::SelectActions(predictions, problem.time_limit(), {}, choices);
  double chosen = 0.0;
  double direct = 0.0;
  double broken = 0.0;
  std::vector<double> share(3, 0.0);
  for (std::size_t i = 0; i < 60; ++i) {
    chosen += known.table.cost[3 * i + choices[i]];
    direct += known.table.cost[3 * i];
    broken += 1.0 - known.table.eligible[3 * i + choices[i]];
    share[choices[i]] += 1.0 / 60.0;
  }
  double mixture = 0.0;
  for (std::size_t cell = 0; cell < 180; ++cell)
    mixture += share[cell % 3] * known.table.cost[cell];
  EXPECT_NEAR(truth.h_total, 1.0 - chosen / direct, 1e-12);
  EXPECT_NEAR(truth.h_alloc, 1.0 - chosen / mixture, 1e-12);
  EXPECT_NEAR(truth.q, broken / 60.0, 1e-12);
  EXPECT_GT(truth.h_total, 0.0);
}

TEST(KnownClustersTest, ATrialFitsBlocksAndKeepsItsTruth) {
  const World world{.clusters = 6, .queries = 10, .actions = 3, .features = 2, .signal = 0.3};
  const TrialOptions options{
      .refits = 5, .fresh_queries = 2, .known_blocks = 12, .learner = QuickRidge()};
  const FreshQueries fresh = DrawFreshQueries(world, 2, RngStream(1));
  const TrialFits fits = FitTrial(world, fresh, options, RngStream(4)).value();
  EXPECT_EQ(fits.folds.size(), 12U);
  const auto again = RestoreFits(EncodeFits(fits, false), world, options, RngStream(4));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->truth, fits.truth);
  const Trial one = JudgeTrial(world, fits, options, RngStream(4));
  const Trial two = JudgeTrial(world, *again, options, RngStream(4));
  for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
    EXPECT_EQ(one.outcome[rule].interval, two.outcome[rule].interval);
  }
}

}  // namespace
}  // namespace gonogo::calibrate
