// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

Protocol SmallForest() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kForest;
  protocol.learner.forest.members = 10;
  protocol.learner.forest.trees = 2;
  protocol.bootstrap.refits = 10;
  return protocol;
}

TEST(ForestLearnerTest, RecoversTheSignalOfThePositiveControl) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  const AuditResult result = RunAudit(table, SmallForest(), {}, {}).value();
  // As for the other learners: choosing right gains about 10 %.
  EXPECT_GT(result.h_dep.interval->lower, 0.07);
  EXPECT_GT(result.h_alloc.interval->lower, 0.07);
  EXPECT_LE(result.q.interval->upper, 0.05);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  EXPECT_EQ(result.source, "forest");
}

TEST(ForestLearnerTest, FindsNothingWhereTheFeaturesSayNothing) {
  const OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  const AuditResult result = RunAudit(table, SmallForest(), {}, {}).value();
  EXPECT_NE(result.reading->verdict, Verdict::kGo);
}

TEST(ForestLearnerTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  const AuditResult one = RunAudit(table, SmallForest(), {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, SmallForest(), {}, {.jobs = 4}).value();
  EXPECT_EQ(one.cross_fit, four.cross_fit);
  EXPECT_EQ(one.bootstrap, four.bootstrap);
}

/// What a forest that never saw the last cluster predicts for the first.
MemberPredictions WithoutTheLast(const OutcomeTable& table) {
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const LearningProblem problem =
      WithTarget(SelectFeatures(outcomes, {}).value(), LearnerTarget::kRatio).value();
  const auto learner = MakeForestLearner(problem, {.members = 3, .trees = 2});
  const stats::ClusterSplit split =
      stats::LeaveOneOut(table.num_clusters(), table.num_clusters() - 1);
  MemberPredictions predictions;
  learner->Fit(split, RngStream(5), {})->Predict(table.queries_of(0), predictions);
  return predictions;
}

TEST(ForestLearnerTest, LearnsNothingFromTheClustersHeldOut) {
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
  const MemberPredictions before = WithoutTheLast(table);
  const MemberPredictions after = WithoutTheLast(other);
  EXPECT_EQ(before.work, after.work);
  EXPECT_EQ(before.time, after.time);
  EXPECT_EQ(before.eligible, after.eligible);
}

TEST(ForestLearnerTest, SeesWhatBelongsToTheCandidates) {
  // A feature of the candidates tells which of them saves; the query's own tell nothing.
  OutcomeTable table = MakePositiveControl({}, RngStream(6));
  FeatureMatrix& target = table.features[1].values;
  ActionFeatureGroup phi{.name = "phi", .columns = {"phi_0"}};
  phi.values = FeatureMatrix::Zero(static_cast<Eigen::Index>(table.cost.size()), 1);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const bool left = target(static_cast<Eigen::Index>(query), 1) >= 0.0F;
    phi.values(static_cast<Eigen::Index>(table.cell(query, left ? 1 : 2)), 0) = 1.0F;
  }
  target.setZero();
  table.action_features.push_back(std::move(phi));
  const AuditResult result = RunAudit(table, SmallForest(), {}, {}).value();
  EXPECT_GT(result.h_dep.interval->lower, 0.07);
}

}  // namespace
}  // namespace gonogo::audit
