// SPDX-License-Identifier: Apache-2.0
// What learners learn of an action beside the reference, and what follows for their choices.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

constexpr LearnerTarget kTargets[] = {LearnerTarget::kRatio, LearnerTarget::kDifference,
                                      LearnerTarget::kLog};
constexpr LearnerKind kKinds[] = {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees,
                                  LearnerKind::kForest};

/// Two queries, one candidate: costs 2 → 3 and 4 → 1, times 10 → 12 and 30 → 30.
class TargetTest : public testing::Test {
 protected:
  TargetTest() {
    table_.cost = {2.0, 3.0, 4.0, 1.0};
    table_.time = {10.0, 12.0, 30.0, 30.0};
    table_.features = {{"f", {"f_0"}, FeatureMatrix::Zero(2, 1)}};
  }

  LearningProblem Problem(LearnerTarget target) {
    outcomes_ = DeriveOutcomes(table_, 1.1);
    return WithTarget(SelectFeatures(outcomes_, {}).value(), target).value();
  }

  OutcomeTable table_{.actions = {"a", "b"},
                      .clusters = {"k", "l"},
                      .cluster_begin = {0, 1, 2},
                      .queries = {"x", "y"}};
  PotentialOutcomes outcomes_;
};

TEST_F(TargetTest, ComparesCostsAsDeclared) {
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kRatio).work_target(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kRatio).work_target(1, 0), -0.75);
  // The mean reference cost is 3.
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kDifference).work_target(0, 0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kDifference).work_target(1, 0), -1.0);
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kLog).work_target(0, 0), std::log(1.5));
  EXPECT_DOUBLE_EQ(Problem(LearnerTarget::kLog).work_target(1, 0), -std::log(4.0));
}

TEST_F(TargetTest, TheGateOfTimeIsTheBudgetInEveryTarget) {
  for (const LearnerTarget target : kTargets) {
    const LearningProblem problem = Problem(target);
    EXPECT_GT(problem.time_target(0, 0), problem.time_limit());  // 12 > 1.1 x 10
    EXPECT_LT(problem.time_target(1, 0), problem.time_limit());  // 30 < 1.1 x 30
  }
  // In units of the mean reference time, 20: (12 - 11) / 20 over the budget.
  EXPECT_NEAR(Problem(LearnerTarget::kDifference).time_target(0, 0), 0.05, 1e-12);
}

TEST_F(TargetTest, RefusesWhatHasNoLogarithm) {
  table_.cost[3] = 0.0;
  outcomes_ = DeriveOutcomes(table_, 1.1);
  const LearningProblem problem = SelectFeatures(outcomes_, {}).value();
  EXPECT_EQ(WithTarget(problem, LearnerTarget::kLog).error().message,
            "query y: the cost of action 'b' is 0, which has no logarithm: use learner.target = "
            "\"ratio\" or \"difference\"");
  EXPECT_TRUE(WithTarget(problem, LearnerTarget::kDifference).ok());
}

Protocol Quick(LearnerKind kind, LearnerTarget target) {
  Protocol protocol;
  protocol.learner.kind = kind;
  protocol.learner.target = target;
  protocol.learner.mlp.members = 2;
  protocol.learner.mlp.hidden = {16};
  protocol.learner.mlp.epochs = 10;
  protocol.learner.mlp.learning_rate = 1e-2;
  protocol.learner.trees.rounds = 20;
  protocol.learner.forest.members = 10;
  protocol.learner.forest.trees = 2;
  protocol.bootstrap.refits = 6;
  return protocol;
}

TEST(LearnerTargetTest, EveryLearnerFindsThePositiveControlInEveryTarget) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  for (const LearnerKind kind : kKinds) {
    for (const LearnerTarget target : kTargets) {
      const AuditResult result = RunAudit(table, Quick(kind, target), {}, {}).value();
      EXPECT_GT(result.h_dep.interval->lower, 0.05) << Name(kind) << " " << Name(target);
      EXPECT_GT(result.h_alloc.interval->lower, 0.05) << Name(kind) << " " << Name(target);
    }
  }
}

/// The choices of the fold that holds the last cluster out.
ChoiceTotals LastFold(const OutcomeTable& table, const Protocol& protocol) {
  return RunAudit(table, protocol, {}, {}).value().cross_fit.back().held_out.front();
}

TEST(LearnerTargetTest, TheUnitOfADifferenceTellsNothingOfTheClusterHeldOut) {
  // Its mean reference cost enters the unit, which has to cancel: a hundred times dearer queries
  // there change no choice there.
  const OutcomeTable table = MakePositiveControl({.clusters = 6}, RngStream(2));
  OutcomeTable dear = table;
  for (std::size_t cell = table.cell(table.cluster_begin[5], 0); cell < table.cost.size(); ++cell) {
    dear.cost[cell] *= 100.0;
  }
  for (const LearnerKind kind : kKinds) {
    const Protocol protocol = Quick(kind, LearnerTarget::kDifference);
    EXPECT_EQ(LastFold(table, protocol).count, LastFold(dear, protocol).count) << Name(kind);
  }
}

/// One query in ten is cheap, and there the candidate multiplies the cost; elsewhere it saves a
/// fifth. Nothing tells the two apart.
OutcomeTable CheapReferences() {
  OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const bool cheap = query % 10 == 0;
    if (cheap) table.cost[table.cell(query, kDirect)] = 1e-3;
    table.cost[table.cell(query, 1)] = cheap ? 5.0 : 0.8 * table.cost[table.cell(query, kDirect)];
    table.time[table.cell(query, 1)] = table.time[table.cell(query, kDirect)];
  }
  return table;
}

TEST(LearnerTargetTest, ADifferenceAimsAtTheSumsThatAreDecided) {
  // W(a) / W(a0) - 1 is about 5,000 at the cheap queries, so its mean is far above zero; the sum of
  // costs falls by almost a fifth all the same.
  const OutcomeTable table = CheapReferences();
  const auto gain = [&](LearnerTarget target) {
    return RunAudit(table, Quick(LearnerKind::kRidge, target), {}, {}).value().point.h_total;
  };
  EXPECT_EQ(gain(LearnerTarget::kRatio), 0.0);
  EXPECT_GT(gain(LearnerTarget::kDifference), 0.15);
}

}  // namespace
}  // namespace gonogo::audit
