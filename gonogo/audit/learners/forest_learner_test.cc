// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/deploy/export_adapter.h"
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

/// The positive control with many more candidates, none of which ever saves anything.
OutcomeTable WithIdleActions(std::size_t idle) {
  const OutcomeTable few = MakePositiveControl({}, RngStream(11));
  OutcomeTable table = few;
  Rng rng = RngStream(12).Generator();
  table.cost.clear();
  table.time.clear();
  table.success.clear();
  for (std::size_t i = 0; i < idle; ++i) table.actions.push_back("idle " + std::to_string(i));
  for (std::size_t query = 0; query < few.num_queries(); ++query) {
    for (ActionIndex a = 0; a < few.num_actions(); ++a) {
      table.cost.push_back(few.cost[few.cell(query, a)]);
    }
    const double reference = few.cost[few.cell(query, kDirect)];
    for (std::size_t i = 0; i < idle; ++i) {
      table.cost.push_back(reference * (1.05 + 2.0 * rng.Uniform()));
    }
  }
  table.success.assign(table.cost.size(), 1);
  return table;
}

TEST(ForestLearnerTest, LeavesActionsOutThatNoTrainingSetNeeds) {
  const OutcomeTable table = WithIdleActions(30);
  Protocol all = SmallForest();
  all.bootstrap.refits = 2;
  Protocol few = all;
  few.learner.forest.most_actions = 3;
  const double with_all = RunAudit(table, all, {}, {}).value().h_dep.point;
  const AuditResult kept = RunAudit(table, few, {}, {}).value();
  EXPECT_GT(kept.h_dep.point, with_all);  // thirty noisy columns diluted the splits
  EXPECT_GT(kept.h_dep.point, 0.07);
  for (std::size_t a = 3; a < kept.actions.size(); ++a) EXPECT_EQ(kept.actions[a].chosen, 0.0);
  const ShippedAdapter shipped = TrainAdapter(table, kept, {{"file", "t.csv"}}, {}).value();
  EXPECT_EQ(shipped.differing_choices, 0U);
  EXPECT_LT(shipped.manifest.checked["largest_difference"], 2e-6);
}

TEST(ForestLearnerTest, ALimitThatLeavesEverythingInChangesNothing) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  Protocol limited = SmallForest();
  limited.learner.forest.most_actions = table.num_actions();
  EXPECT_EQ(RunAudit(table, limited, {}, {}).value().cross_fit,
            RunAudit(table, SmallForest(), {}, {}).value().cross_fit);
}

}  // namespace
}  // namespace gonogo::audit
