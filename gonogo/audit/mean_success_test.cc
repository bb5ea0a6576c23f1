// SPDX-License-Identifier: Apache-2.0
// A dear action that mostly succeeds, a cheap one that sometimes fails: how
// much may be saved where so much success may be lost on average?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/learners/price_of_success.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

/// Thirty clusters of a hundred questions; `weak` has a tenth of the price at
/// every question, the same everywhere, and succeeds with probability 1 - x
/// where `strong` succeeds with 0.9. Without a signal the feature is another
/// draw.
OutcomeTable Router(bool has_signal, std::uint64_t seed) {
  OutcomeTable table{.actions = {"strong", "weak"}};
  FeatureGroup group{.name = "f", .columns = {"f_x"}, .values = FeatureMatrix(3000, 1)};
  Rng rng = RngStream(seed).Generator();
  for (int query = 0; query < 3000; ++query) {
    if (query % 100 == 0) {
      table.clusters.push_back("c" + std::to_string(query / 100));
      table.cluster_begin.push_back(static_cast<std::size_t>(query));
    }
    const double x = rng.Uniform();
    group.values(query, 0) = static_cast<float>(has_signal ? x : rng.Uniform());
    table.queries.push_back(std::to_string(query));
    table.cost.insert(table.cost.end(), {1.0, 0.1});
    table.success.push_back(rng.Uniform() < 0.9 ? 1 : 0);
    table.success.push_back(rng.Uniform() < 1.0 - x ? 1 : 0);
  }
  table.cluster_begin.push_back(3000);
  table.features.push_back(std::move(group));
  return table;
}

Protocol MeanSuccess(LearnerKind kind) {
  Protocol protocol;
  protocol.learner.kind = kind;
  protocol.learner.forest.members = 4;
  protocol.learner.forest.trees = 3;
  protocol.bootstrap.refits = 30;
  protocol.question.constraint = Constraint::kMeanSuccess;
  protocol.thresholds.kappa = 0.03;
  return protocol;
}

TEST(MeanSuccessTest, ARouterThatPaysIsAGoWithTwoLearners) {
  for (const LearnerKind kind : {LearnerKind::kRidge, LearnerKind::kForest}) {
    const AuditResult result = RunAudit(Router(true, 1), MeanSuccess(kind), {}, {}).value();
    EXPECT_EQ(result.reading->verdict, Verdict::kGo) << Name(kind);
    // A success costs 0.9 / 0.4 = 2.25. Half of kappa may be lost: weak where x
    // < 0.1 gains as much as it loses up to x = 0.2, and (x - 0.1)^2 / 2 -
    // 0.005 = 0.015 at x = 0.3: 27 % are saved.
    EXPECT_NEAR(result.h_dep.point, 0.27, 0.06) << Name(kind);
    EXPECT_NEAR(result.q.point, 0.015, 0.012) << Name(kind);
    // At constant prices cost alone shows 0. Random choices as often lose 0.4 at each departure,
    // and what the adapter keeps of that counts at the rate of the fixed actions.
    const double kept = 0.4 * result.h_dep.point / 0.9 - result.q.point;
    const double cost = 1.0 - result.h_dep.point;
    EXPECT_NEAR(result.h_alloc.point, 1.0 - cost / (cost + result.curve->rate * kept), 0.02)
        << Name(kind);
  }
}

TEST(MeanSuccessTest, WithoutASignalRandomRoutingIsNoGo) {
  for (const LearnerKind kind : {LearnerKind::kRidge, LearnerKind::kForest}) {
    const AuditResult result = RunAudit(Router(false, 2), MeanSuccess(kind), {}, {}).value();
    EXPECT_NE(result.reading->verdict, Verdict::kGo) << Name(kind);
    EXPECT_NEAR(result.h_alloc.point, 0.0, 0.03) << Name(kind);
  }
}

TEST(MeanSuccessTest, TheExchangeRateIsWhatFixedActionsPayForASuccess) {
  OutcomeTable table{.actions = {"a", "b", "c"},
                     .clusters = {"k", "l"},
                     .cluster_begin = {0, 1, 2},
                     .cost = {10.0, 4.0, 9.0, 10.0, 4.0, 1.0},
                     .success = {1, 0, 1, 1, 1, 0},
                     .prices_success = true};
  table.counts_net_success = true;
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  // b saves 12 for one success, c 10 for one.
  EXPECT_DOUBLE_EQ(outcomes.totals.success_price, 12.0);
  const ChoiceTotals choices = SummariseChoices(outcomes, 1, std::vector<ActionIndex>{1});
  EXPECT_DOUBLE_EQ(MixtureValue(outcomes.totals, choices),
                   4.0);  // one query: the same choice
}

TEST(MeanSuccessTest, RandomMixturesLieOnTheLineBetweenFixedActions) {
  const std::vector<CurveAction> actions = {{"a", 0.0, 0.0}, {"b", 0.1, 0.6}, {"c", 0.2, 0.7}};
  EXPECT_DOUBLE_EQ(SavedByMixture(actions, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(SavedByMixture(actions, 0.05), 0.3);
  EXPECT_NEAR(SavedByMixture(actions, 0.15), 0.65, 1e-12);
  EXPECT_DOUBLE_EQ(SavedByMixture(actions, 0.5), 0.7);
}

TEST(MeanSuccessTest, TheCurveLiesBetweenRandomMixturesAndTheOracle) {
  const AuditResult result =
      RunAudit(Router(true, 3), MeanSuccess(LearnerKind::kRidge), {}, {}).value();
  ASSERT_TRUE(result.curve.has_value());
  const PriceCurve& curve = *result.curve;
  EXPECT_NEAR(curve.rate, 2.25, 0.15);  // 0.9 saved for 0.4 lost
  ASSERT_EQ(curve.points.size(), 7U);
  double saved = -1.0;
  for (const CurvePoint& point : curve.points) {
    EXPECT_GE(point.saved.point, saved);  // whoever may lose more saves more
    saved = point.saved.point;
    EXPECT_LE(point.saved.point, point.oracle);
    EXPECT_GE(point.saved.point, point.random);
    EXPECT_NEAR(point.lost.point, point.allowed, 0.03);  // standard error 0.01 at 3000 queries
    EXPECT_NEAR(point.saved.point, 0.9 * point.departs,
                1e-9);  // the price is constant
  }
}

TEST(MeanSuccessTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table = Router(true, 4);
  Protocol protocol = MeanSuccess(LearnerKind::kRidge);
  protocol.bootstrap.refits = 8;
  const AuditResult one = RunAudit(table, protocol, {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, protocol, {}, {.jobs = 4}).value();
  EXPECT_EQ(one.bootstrap, four.bootstrap);
  EXPECT_EQ(one.curve->points.back().saved.point, four.curve->points.back().saved.point);
}

TEST(MeanSuccessTest, PriceIsTheLowestSavingThatKeepsTheBudget) {
  const std::vector<PricedSuccess::Outcome> outcomes = {{1.0, 0.5}, {2.0, 0.1}, {3.0, 0.0}};
  EXPECT_EQ(PricedSuccess::Cheapest(outcomes, 0.2), 1U);
  EXPECT_EQ(PricedSuccess::Cheapest(outcomes, 0.0), 2U);
  EXPECT_EQ(PricedSuccess::Cheapest(outcomes, 0.9), 0U);
  EXPECT_EQ(PricedSuccess::Cheapest(outcomes, -1.0), 2U);
}

TEST(MeanSuccessTest, IsRefusedWhereItCannotBeAsked) {
  Protocol protocol = MeanSuccess(LearnerKind::kPolicy);
  EXPECT_THAT(RunAudit(Router(true, 5), protocol, {}, {}).error().message,
              HasSubstr("learner.kind is \"policy\""));
  OutcomeTable table = Router(true, 5);
  table.success.clear();
  protocol = MeanSuccess(LearnerKind::kRidge);
  EXPECT_THAT(RunAudit(table, protocol, {}, {}).error().message,
              HasSubstr("expected a column of successes"));
}

}  // namespace
}  // namespace gonogo::audit
