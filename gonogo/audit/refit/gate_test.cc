// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/gate.h"

#include <limits>

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

/// The positive control in which candidates fail with the given probability.
OutcomeTable Failing(double share) {
  OutcomeTable table = MakePositiveControl({.clusters = 12}, RngStream(1));
  Rng rng = RngStream(2).Generator();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    for (std::size_t a = 1; a < table.num_actions(); ++a) {
      if (rng.Uniform() < share) table.success[query * table.num_actions() + a] = 0;
    }
  }
  return table;
}

class GateTest : public testing::Test {
 protected:
  [[nodiscard]] static double ZOf(const OutcomeTable& table, double budget) {
    const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
    const LearningProblem problem = SelectFeatures(outcomes, {}).value();
    const std::unique_ptr<Learner> learner = MakeRidgeLearner(problem, {}).value();
    const DeclaredGate gate{.violation_budget = budget};
    return SpendBudget(problem, *learner, gate, stats::LeaveOneOut(12, 11), RngStream(3), {})->z;
  }
};

TEST_F(GateTest, WithoutABudgetOrWithOneThatIsNotSpentTheGateIsTheDeclaredOne) {
  EXPECT_EQ(ZOf(Failing(0.2), 0.0), 1.0);
  EXPECT_EQ(ZOf(Failing(0.2), 0.5), 1.0);
  EXPECT_EQ(ZOf(Failing(0.0), 1e-6), 1.0);
}

TEST_F(GateTest, ATighterBudgetRaisesTheGate) {
  const double tight = ZOf(Failing(0.2), 0.05);
  EXPECT_GT(tight, 1.0);
  EXPECT_GE(ZOf(Failing(0.2), 0.01), tight);
}

TEST_F(GateTest, WhereNothingForetellsFailuresItNeverDeparts) {
  EXPECT_EQ(ZOf(Failing(0.2), 1e-6), std::numeric_limits<double>::infinity());
}

TEST_F(GateTest, LooksAtTrainingClustersOnly) {
  OutcomeTable table = Failing(0.2);
  const double before = ZOf(table, 0.05);
  const std::size_t held_out = table.cell(table.cluster_begin[11], 0);
  for (std::size_t cell = held_out; cell < table.success.size(); ++cell) {
    table.success[cell] = cell % table.num_actions() == kDirect ? 1 : 0;
  }
  EXPECT_EQ(ZOf(table, 0.05), before);
}

TEST_F(GateTest, AnAuditWithABudgetBreaksFewerConstraints) {
  const OutcomeTable table = Failing(0.2);
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 5;
  const AuditResult free = RunAudit(table, protocol, {}, {}).value();
  protocol.selector.violation_share = 0.5;
  const AuditResult bound = RunAudit(table, protocol, {}, {}).value();
  EXPECT_GT(free.point.q, 0.05);
  EXPECT_LE(bound.point.q, 0.025);
}

}  // namespace
}  // namespace gonogo::audit
