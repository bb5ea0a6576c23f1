// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/looks.h"

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

TEST(LooksTest, AllLooksTogetherSpendTheDeclaredError) {
  for (const std::size_t looks : {1U, 2U, 3U, 5U}) {
    double spent = 0.0;
    for (std::size_t look = 1; look <= looks; ++look) spent += LookAlpha(0.025, look, looks);
    EXPECT_NEAR(spent, 0.025, 1e-12) << looks;
  }
}

TEST(LooksTest, TwoLooksSpendWhatOBrienAndFlemingPrint) {
  // 2 - 2 Phi(2.2414 / sqrt(0.5)) = 0.001525
  EXPECT_NEAR(LookAlpha(0.025, 1, 2), 0.001525, 1e-6);
  EXPECT_NEAR(LookLevel(0.95, {.looks = 2}, 2, 40), 1.0 - 2.0 * (0.025 - 0.001525), 2e-6);
  EXPECT_EQ(LookLevel(0.95, {}, 1, 40), 0.95);
}

TEST(LooksTest, EarlyLooksAreTheStrictestAndALookTooManySpendsNoMore) {
  EXPECT_LT(LookAlpha(0.025, 1, 3), LookAlpha(0.025, 2, 3));
  EXPECT_LT(LookAlpha(0.025, 2, 3), LookAlpha(0.025, 3, 3));
  EXPECT_EQ(LookAlpha(0.025, 4, 3), LookAlpha(0.025, 3, 3));
}

TEST(LooksTest, ALookThatWasNotDeclaredIsDescriptive) {
  EXPECT_TRUE(LookReasons(1, 20, "", {}).empty());
  EXPECT_EQ(LookReasons(2, 20, "", {}).size(), 1U);
  EXPECT_TRUE(LookReasons(2, 20, "", {.kind = DecisionRule::kCalibrated, .looks = 2}).empty());
  EXPECT_EQ(LookReasons(1, 20, "", {.kind = DecisionRule::kPaper, .looks = 2}).size(), 1U);
}

TEST(LooksTest, LooksDeclaredByClustersSpendByClusters) {
  const RuleConfig pocock{.looks_at = {20, 40, 80, 160}};
  double spent = 0.0;
  for (const std::size_t clusters : pocock.looks_at) {
    spent += ShareOfLook(0.025, pocock, 1, clusters).alpha;
  }
  EXPECT_NEAR(spent, 0.025, 1e-12);
  // alpha ln(1 + (e - 1) / 8) at an eighth of the clusters, by hand: 0.025 x 0.19457.
  EXPECT_NEAR(ShareOfLook(0.025, pocock, 1, 20).alpha, 0.0048642, 1e-7);
  EXPECT_EQ(ShareOfLook(0.025, pocock, 1, 80).look, 3U);
  EXPECT_EQ(ShareOfLook(0.025, pocock, 1, 80).looks, 4U);
  RuleConfig late = pocock;
  late.spending = Spending::kObrienFleming;
  EXPECT_LT(ShareOfLook(0.025, late, 1, 20).alpha, 1e-9);
  EXPECT_NEAR(ShareOfLook(0.025, late, 1, 80).alpha + ShareOfLook(0.025, late, 1, 40).alpha +
                  ShareOfLook(0.025, late, 1, 20).alpha,
              LookAlpha(0.025, 1, 2), 1e-12);  // until half of the clusters
  EXPECT_EQ(LookLevel(0.95, {.looks_at = {50}}, 1, 50), 0.95);
}

TEST(LooksTest, ANumberOfClustersThatWasNotDeclaredIsDescriptive) {
  const RuleConfig rule{.looks_at = {20, 40}};
  EXPECT_TRUE(LookReasons(1, 20, "", rule).empty());
  EXPECT_TRUE(LookReasons(2, 40, "", rule).empty());
  EXPECT_TRUE(LookReasons(1, 40, "", rule).empty());  // nobody has to take every look
  EXPECT_EQ(LookReasons(2, 30, "", rule).size(), 1U);
  EXPECT_EQ(LookReasons(2, 20, "", rule).size(), 1U);  // twenty other clusters were looked at
  EXPECT_EQ(LookReasons(3, 50, "", rule).size(), 1U);
  // Its error is that of the declared look before it.
  EXPECT_EQ(ShareOfLook(0.025, rule, 2, 30).alpha, ShareOfLook(0.025, rule, 1, 20).alpha);
  EXPECT_EQ(ShareOfLook(0.025, rule, 1, 5).alpha, ShareOfLook(0.025, rule, 1, 20).alpha);
}

TEST(LooksTest, AnAuditAtAnEarlyLookHasWiderIntervals) {
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 40;
  protocol.rule = {.kind = DecisionRule::kCalibrated, .looks = 2};
  const AuditResult first = RunAudit(table, protocol, {}, {}).value();
  table.earlier_looks = {.count = 1, .which = "20 clusters of first.csv"};
  const AuditResult second = RunAudit(table, protocol, {}, {}).value();
  EXPECT_EQ(second.look, 2U);
  EXPECT_GT(first.calibrated->h_dep->interval.width(), second.calibrated->h_dep->interval.width());
  table.earlier_looks = {.count = 2, .which = "40 clusters of second.csv"};
  EXPECT_GT(RunAudit(table, protocol, {}, {}).value().reasons.size(), second.reasons.size());
}

}  // namespace
}  // namespace gonogo::audit
