// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

/// Four clusters of one query each; the reference costs 1, 2, 3 and 14, the other action twice
/// that.
OutcomeTable FourQueries() {
  return {.actions = {"a", "b"},
          .clusters = {"1", "2", "3", "4"},
          .cluster_begin = {0, 1, 2, 3, 4},
          .queries = {"q1", "q2", "q3", "q4"},
          .cost = {1, 2, 2, 4, 3, 6, 14, 28}};
}

AuditResult Departing(double activation) {
  AuditResult result;
  result.point.activation = activation;
  return result;
}

TEST(AdviceTest, SharesAreThoseOfTheReference) {
  const CostConcentration cost = ConcentrationOf(FourQueries());
  EXPECT_DOUBLE_EQ(cost.largest_cluster, 0.7);
  EXPECT_DOUBLE_EQ(cost.largest_query, 0.7);
  EXPECT_DOUBLE_EQ(cost.largest_ratio, 2.0);
}

TEST(AdviceTest, ATableWithoutPeculiaritiesNeedsNone) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  EXPECT_THAT(Advice(table, Departing(0.5)), testing::IsEmpty());
}

TEST(AdviceTest, ASelectorThatNeverDepartsSaysNothingOfTheDomain) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  AuditResult result = Departing(0.0);
  EXPECT_THAT(Advice(table, result),
              testing::ElementsAre(HasSubstr("departs from the reference on 0 % of queries")));
  result.interval_kind = IntervalKind::kFixedChoices;
  EXPECT_THAT(Advice(table, result), testing::IsEmpty());
}

TEST(AdviceTest, AHeavyQueryAndAHugeRatioAreNamed) {
  OutcomeTable table = FourQueries();
  EXPECT_THAT(Advice(table, Departing(0.5)),
              testing::ElementsAre(HasSubstr(
                  "one cluster holds 70.00 % of the reference's cost and one query 70.00 %")));
  table.cost[1] = 5000.0;
  AuditResult result = Departing(0.5);
  EXPECT_THAT(Advice(table, result), testing::Contains(HasSubstr("up to 5e+03 times")));
  result.protocol.learner.target = LearnerTarget::kDifference;
  EXPECT_THAT(Advice(table, result), testing::Not(testing::Contains(HasSubstr("times the"))));
}

TEST(AdviceTest, StandsAmongTheWarningsOfAnAudit) {
  OutcomeTable table = MakePositiveControl({.clusters = 4, .benefit = 0.0}, RngStream(2));
  table.cost[0] *= 1e4;
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 2;
  EXPECT_THAT(RunAudit(table, protocol, {}, {}).value().warnings,
              testing::Contains(HasSubstr("heavy tail")));
}

}  // namespace
}  // namespace gonogo::audit
