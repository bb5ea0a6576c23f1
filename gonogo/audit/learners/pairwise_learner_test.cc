// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

Protocol SmallPairwise() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kPairwise;
  protocol.learner.pairwise.trees = 2;
  protocol.bootstrap.refits = 10;
  return protocol;
}

TEST(PairwiseLearnerTest, RecoversTheSignalOfThePositiveControl) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  const AuditResult result = RunAudit(table, SmallPairwise(), {}, {}).value();
  EXPECT_GT(result.h_dep.interval->lower, 0.07);
  EXPECT_GT(result.h_alloc.interval->lower, 0.07);
  EXPECT_LE(result.q.interval->upper, 0.05);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  EXPECT_EQ(result.source, "pairwise");
}

TEST(PairwiseLearnerTest, FindsNothingWhereTheFeaturesSayNothing) {
  const OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  const AuditResult result = RunAudit(table, SmallPairwise(), {}, {}).value();
  EXPECT_NE(result.reading->verdict, Verdict::kGo);
}

TEST(PairwiseLearnerTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  const AuditResult one = RunAudit(table, SmallPairwise(), {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, SmallPairwise(), {}, {.jobs = 4}).value();
  EXPECT_EQ(one.cross_fit, four.cross_fit);
  EXPECT_EQ(one.bootstrap, four.bootstrap);
}

/// A table in which the first feature tells which of two actions succeeds; both cost the same.
OutcomeTable ValueInSuccess(double cost_of_candidates) {
  OutcomeTable table =
      MakePositiveControl({.clusters = 20, .queries_per_cluster = 30}, RngStream(5));
  table.time.clear();
  table.eligible.clear();
  table.success.clear();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const bool left = table.features[1].values(static_cast<Eigen::Index>(query), 1) >= 0.0F;
    for (std::size_t a = 0; a < table.num_actions(); ++a) {
      table.cost[table.cell(query, static_cast<ActionIndex>(a))] =
          a == kDirect ? 1.0 : cost_of_candidates;
      table.success.push_back(a == kDirect || (a == 1) == left ? 1 : 0);
    }
  }
  return table;
}

TEST(PairwiseLearnerTest, LearnsWhereTheActionsCostAlikeAndDifferInWhetherTheySucceed) {
  // Either candidate saves a tenth everywhere, and one of the two fails: a feature tells which.
  const OutcomeTable table = ValueInSuccess(0.9);
  const AuditResult pairwise = RunAudit(table, SmallPairwise(), {}, {}).value();
  EXPECT_GT(pairwise.h_dep.point, 0.08);
  EXPECT_LT(pairwise.point.q, 0.05);
  Protocol forest;
  forest.learner.kind = LearnerKind::kForest;
  forest.bootstrap.refits = 2;
  // Splits by cost alone have nothing to go by there ...
  EXPECT_LT(RunAudit(table, forest, {}, {}).value().h_dep.point, 0.02);
  // ... and those by everything that is decided find it.
  forest.learner.forest.splits = ForestSplits::kOutcomes;
  const AuditResult sees = RunAudit(table, forest, {}, {}).value();
  EXPECT_GT(sees.h_dep.point, 0.08);
  EXPECT_LT(sees.point.q, 0.05);
}

TEST(PairwiseLearnerTest, ShipsANetworkThatChoosesTheSameAlsoWhereActionsWereLeftOut) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(9));
  Protocol protocol = SmallPairwise();
  protocol.learner.pairwise.most_actions = 2;
  protocol.bootstrap.refits = 2;
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const ShippedAdapter shipped = TrainAdapter(table, result, {{"file", "t.csv"}}, {}).value();
  EXPECT_EQ(shipped.differing_choices, 0U);
  EXPECT_EQ(shipped.manifest.checked["largest_difference"], 0.0);
  std::size_t used = 0;
  for (const nlohmann::json& count : shipped.manifest.checked["chosen"]) used += count > 0 ? 1 : 0;
  EXPECT_LE(used, 2U);
}

TEST(PairwiseLearnerTest, LearnsNothingFromTheClustersHeldOut) {
  const auto predict = [](const OutcomeTable& table) {
    const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
    const LearningProblem problem =
        WithTarget(SelectFeatures(outcomes, {}).value(), LearnerTarget::kRatio).value();
    const auto learner = MakePairwiseLearner(problem, {.members = 3, .trees = 2});
    MemberPredictions predictions;
    learner->Fit(stats::LeaveOneOut(6, 5), RngStream(5), {})
        ->Predict(table.queries_of(0), predictions);
    return predictions.work;
  };
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 30}, RngStream(4));
  OutcomeTable other = table;
  const std::size_t first = table.cluster_begin[5];
  for (std::size_t cell = table.cell(first, 0); cell < table.cost.size(); ++cell) {
    other.cost[cell] *= 3.0 + static_cast<double>(cell % 7);
    other.time[cell] *= 2.0;
  }
  const auto rows = static_cast<Eigen::Index>(table.num_queries() - first);
  for (FeatureGroup& group : other.features) group.values.bottomRows(rows) *= -17.0F;
  EXPECT_EQ(predict(table), predict(other));
}

}  // namespace
}  // namespace gonogo::audit
