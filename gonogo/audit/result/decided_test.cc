// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/decided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

/// Twenty clusters of ten queries: `b` costs half of `a` and takes `time` times as long, and at the
/// first query of a cluster it fails.
OutcomeTable HalfTheCost(double time) {
  OutcomeTable table{.actions = {"a", "b"}};
  FeatureGroup group{.name = "f", .columns = {"f_x"}, .values = FeatureMatrix(200, 1)};
  for (int query = 0; query < 200; ++query) {
    group.values(query, 0) = static_cast<float>(query % 10);
    if (query % 10 == 0) {
      table.clusters.push_back("c" + std::to_string(query));
      table.cluster_begin.push_back(static_cast<std::size_t>(query));
    }
    table.queries.push_back(std::to_string(query));
    table.cost.insert(table.cost.end(), {10.0, 5.0});
    table.time.insert(table.time.end(), {1.0, time});
    table.success.insert(table.success.end(), {1, static_cast<std::uint8_t>(query % 10 != 0)});
  }
  table.cluster_begin.push_back(200);
  table.features.push_back(std::move(group));
  return table;
}

TEST(DecidedTest, SaysWhatEveryConstraintForbids) {
  const OutcomeTable slow = HalfTheCost(2.0);
  const ConstraintShares shares = SharesOf(slow, {});
  EXPECT_DOUBLE_EQ(shares.by_time, 1.0);
  EXPECT_DOUBLE_EQ(shares.by_success, 0.1);
  EXPECT_DOUBLE_EQ(shares.cheaper, 1.0);
  EXPECT_DOUBLE_EQ(shares.cheaper_free, 0.0);
  EXPECT_EQ(ConstraintsInWords(slow, {}, shares),
            "time <= 1.10 x a forbids 100.0 %, success where a succeeds forbids 10.0 % of the "
            "alternatives to the reference 'a', together 100.0 %");
  EXPECT_FALSE(ConstraintsDecide(SharesOf(HalfTheCost(1.0), {})));
}

TEST(DecidedTest, AChannelThatIsZeroByConstructionDecidesNothing) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  OutcomeTable table = HalfTheCost(1.0);
  const AuditResult constant = RunAudit(table, protocol, {}, {}).value();
  ASSERT_TRUE(constant.obstacle.has_value());
  EXPECT_THAT(constant.obstacle->reason, HasSubstr("H_alloc is zero by construction"));
  EXPECT_THAT(constant.obstacle->check, testing::Contains(HasSubstr("\"mean success\"")));
  EXPECT_FALSE(constant.reading.has_value());
  protocol.question.failure_cost = 3.0;
  protocol.question.constraint = Constraint::kNone;
  const AuditResult priced = RunAudit(table, protocol, {}, {}).value();
  EXPECT_FALSE(priced.obstacle.has_value());
  EXPECT_NEAR(priced.h_global.point, 1.0 - 5.3 / 10.0, 1e-12);  // every tenth fails
  EXPECT_THAT(priced.question, HasSubstr("costs 3 more than the table says"));
}

TEST(DecidedTest, AnAnswerThatAConstraintMakesIsNotBlamedOnTheLearner) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  const AuditResult result = RunAudit(HalfTheCost(2.0), protocol, {}, {}).value();
  ASSERT_EQ(result.point.activation, 0.0);
  EXPECT_THAT(result.warnings,
              testing::Contains(AllOf(HasSubstr("a constraint makes this answer, not the learner"),
                                      HasSubstr("time <= 1.10 x a forbids 100.0 %"))));
  EXPECT_THAT(result.warnings, Not(testing::Contains(HasSubstr("about this learner"))));
  protocol.question.constraint = Constraint::kSuccess;
  EXPECT_GT(RunAudit(HalfTheCost(2.0), protocol, {}, {}).value().point.activation, 0.5);
}

TEST(DecidedTest, SaysWhatWouldBeReadIfChoosingCostNothing) {
  OutcomeTable table = HalfTheCost(1.0);
  for (std::size_t query = 0; query < 200; ++query) {  // b costs 4 or 14, and x tells which
    table.cost[2 * query + 1] = query % 10 < 5 ? 4.0 : 14.0;
    table.success[2 * query + 1] = 1;
  }
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kForest;
  protocol.learner.forest.members = 5;
  protocol.bootstrap.refits = 20;
  const auto said = testing::Contains(HasSubstr("choosing costs 4 a query, 40.0 % of what"));
  EXPECT_THAT(RunAudit(table, protocol, {}, {}).value().warnings, Not(said));
  protocol.rule.adapter_cost = 4.0;
  const AuditResult dear = RunAudit(table, protocol, {}, {}).value();
  EXPECT_NE(dear.reading->verdict, Verdict::kGo);
  EXPECT_THAT(dear.warnings, said);
  // Always b costs 9, each at its place 7: 2 / 9.
  EXPECT_THAT(dear.warnings, testing::Contains(HasSubstr("would read GO, with H_dep 22.22 %")));
}

TEST(DecidedTest, AnAdapterThatHardlyEverDepartsIsWarnedAboutBelowTheDeclaredShare) {
  OutcomeTable table = HalfTheCost(1.0);
  // `b` is only better where the feature says so, at one query of twenty clusters in every ten.
  for (std::size_t query = 0; query < 200; ++query) {
    table.cost[2 * query + 1] = query % 10 == 9 ? 1.0 : 30.0;
    table.success[2 * query + 1] = 1;
  }
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kForest;
  protocol.bootstrap.refits = 10;
  const auto warned = testing::Contains(HasSubstr("departs from the reference on"));
  const AuditResult usual = RunAudit(table, protocol, {}, {}).value();
  ASSERT_NEAR(usual.point.activation, 0.1, 0.02);
  EXPECT_THAT(usual.warnings, Not(warned));
  protocol.selector.min_departures = 0.25;
  EXPECT_THAT(RunAudit(table, protocol, {}, {}).value().warnings, warned);
}

}  // namespace
}  // namespace gonogo::audit
