// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

Protocol FewTrees() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kTrees;
  protocol.learner.trees.rounds = 30;
  protocol.bootstrap.refits = 10;
  return protocol;
}

TEST(TreesLearnerTest, RecoversTheSignalOfThePositiveControl) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  const AuditResult result = RunAudit(table, FewTrees(), {}, {}).value();
  // As for the other learners: choosing right gains about 10 %.
  EXPECT_GT(result.h_dep.interval->lower, 0.07);
  EXPECT_GT(result.h_alloc.interval->lower, 0.07);
  EXPECT_LE(result.q.interval->upper, 0.05);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
}

TEST(TreesLearnerTest, FindsNothingWhereTheFeaturesSayNothing) {
  OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  const AuditResult result = RunAudit(table, FewTrees(), {}, {}).value();
  EXPECT_NE(result.reading->verdict, Verdict::kGo);
}

TEST(TreesLearnerTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  const AuditResult one = RunAudit(table, FewTrees(), {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, FewTrees(), {}, {.jobs = 4}).value();
  EXPECT_EQ(one.cross_fit, four.cross_fit);
  EXPECT_EQ(one.bootstrap, four.bootstrap);
}

TEST(TreesLearnerTest, RefusesOutcomesNoFloatCanCompare) {
  OutcomeTable table = MakePositiveControl({.clusters = 3, .queries_per_cluster = 2}, RngStream(4));
  table.cost[table.cell(1, 0)] = 1e-300;
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const LearningProblem problem = SelectFeatures(outcomes, {}).value();
  const auto learner = MakeTreesLearner(problem, {});
  ASSERT_FALSE(learner.ok());
  EXPECT_THAT(learner.error().message, testing::HasSubstr("query 1: outcomes of action 'left'"));
}

}  // namespace
}  // namespace gonogo::audit
