// SPDX-License-Identifier: Apache-2.0
// Tables of which more is better: the same audit, with gains on the scale of the reference's
// reward.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

Protocol QuickReading() {
  Protocol protocol;
  protocol.reference = "base";
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  protocol.question.constraint = Constraint::kNone;
  return protocol;
}

/// One row per query and action: `base` earns `level`, and of the two others the one that the
/// feature points at earns `lift` more, the other as much less.
std::string Rewards(const char* column, double level, double lift) {
  std::string csv = fmt::format("cluster,query,action,{},f_x\n", column);
  Rng rng = RngStream(4).Generator();
  for (int k = 0; k < 20; ++k) {
    for (int i = 0; i < 20; ++i) {
      const double x = rng.Uniform(-1.0, 1.0);
      for (const auto& [action, gain] :
           {std::pair{"base", 0.0}, std::pair{"up", x > 0 ? lift : -lift},
            std::pair{"down", x > 0 ? -lift : lift}}) {
        csv += fmt::format("c{0},c{0}q{1},{2},{3},{4}\n", k, i, action,
                           level + gain + 0.02 * rng.Normal(), x);
      }
    }
  }
  return csv;
}

AuditResult AuditOf(const std::string& csv, const Protocol& protocol) {
  const OutcomeTable table = ParseCsvTable(csv, "t.csv", protocol).value();
  return RunAudit(table, protocol, {}, {}).value();
}

TEST(RewardTest, AnAdapterThatEarnsMoreIsWorthItAndItsGainsAreLifts) {
  Protocol protocol = QuickReading();
  protocol.table.reward = "score";
  const AuditResult result = AuditOf(Rewards("score", 1.0, 0.3), protocol);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  EXPECT_NEAR(result.h_total.point, 0.3, 0.02);  // 1.3 against 1
  EXPECT_NEAR(result.h_avail.point, 0.3, 0.01);
  EXPECT_NEAR(result.calibrated->h_total->point, 0.3, 0.02);
  EXPECT_NEAR(result.calibrated->h_alloc->point, 0.3, 0.02);  // random choices earn 1
  EXPECT_THAT(result.question, HasSubstr("More is better: the reward is score"));
}

TEST(RewardTest, TakenForACostTheSameColumnSendsTheAdapterTheOtherWay) {
  Protocol protocol = QuickReading();
  protocol.table.cost = "score";
  const std::string csv = Rewards("score", 1.0, 0.3);
  const AuditResult wrong = AuditOf(csv, protocol);
  EXPECT_EQ(wrong.reading->verdict, Verdict::kGo);  // which is why nobody may guess
  protocol = QuickReading();
  protocol.table.reward = "score";
  const AuditResult right = AuditOf(csv, protocol);
  // What it "saves" of the score is what it loses of it.
  EXPECT_NEAR(wrong.h_total.point, right.h_total.point, 0.02);
  EXPECT_EQ(right.folds.front().sums.of_rewards, true);
}

TEST(RewardTest, RareRewardsAreJudgedOnTheirOwnScale) {
  // 1 % of the queries convert, 1.6 % with the adapter: + 60 %, though 0.6 % of "1 - click".
  std::string csv = "cluster,query,action,click,no_click,f_x\n";
  for (int k = 0; k < 25; ++k) {
    for (int i = 0; i < 400; ++i) {
      const bool up = i % 2 == 0;  // where `new` is better
      const auto row = [&](const char* action, bool click) {
        csv += fmt::format("c{0},c{0}q{1},{2},{3},{4},{5}\n", k, i, action, click ? 1 : 0,
                           click ? 0 : 1, up ? 1 : 0);
      };
      row("base", i % 100 == 0);      // 4 clicks, all of them where `new` is better
      row("new", up && i % 40 == 0);  // 10 clicks
    }
  }
  Protocol protocol = QuickReading();
  protocol.table.reward = "click";
  const AuditResult lift = AuditOf(csv, protocol);
  EXPECT_NEAR(lift.h_total.point, 1.5, 1e-9);                 // 10 against 4
  EXPECT_EQ(lift.calibrated->deployment, Channel::kRefuted);  // always `new` earns as much
  EXPECT_NEAR(lift.h_global.point, 1.5, 1e-9);
}

TEST(RewardTest, GainsOfAllComparatorsAreSharesOfWhatTheReferenceEarns) {
  const double direct = -10.0;  // earns 10
  EXPECT_NEAR(Gain(-15.0, -12.0, direct, true), 0.3, 1e-12);
  EXPECT_NEAR(Gain(-15.0, direct, direct, true), 0.5, 1e-12);
  EXPECT_NEAR(Gain(3.0, -10.0, direct, true), -1.3, 1e-12);  // loses
  EXPECT_EQ(Gain(8.0, 12.0, 10.0, false), RelativeGain(8.0, 12.0));
}

TEST(RewardTest, WhatEarnsNothingIsNoScale) {
  Protocol protocol = QuickReading();
  protocol.table.reward = "score";
  const OutcomeTable table = ParseCsvTable(Rewards("score", -1.0, 0.3), "t.csv", protocol).value();
  EXPECT_THAT(RunAudit(table, protocol, {}, {}).error().message,
              HasSubstr("gains are shares of that, so it has to be above 0"));
  protocol.rule.kind = DecisionRule::kLeavePairOut;
  const OutcomeTable good = ParseCsvTable(Rewards("score", 1.0, 0.3), "t.csv", protocol).value();
  const AuditResult read = RunAudit(good, protocol, {}, {}).value();
  EXPECT_FALSE(read.pairs.has_value());
  EXPECT_THAT(read.why_this_rule, HasSubstr("compares costs only"));
}

TEST(ObjectiveTest, IsCalculatedFromColumnsRowByRow) {
  const char* csv =
      "cluster,query,action,price_usd,success,f_x\n"
      "a,1,base,1,1,0\na,1,new,0.5,0,0\nb,2,base,1,0,1\nb,2,new,0.25,True,1\n";
  Protocol protocol = QuickReading();
  protocol.table.objective = "price_usd + 8.0 * (1 - success)";
  const OutcomeTable table = ParseCsvTable(csv, "t.csv", protocol).value();
  EXPECT_THAT(table.cost, testing::ElementsAre(1.0, 8.5, 9.0, 0.25));
  EXPECT_THAT(table.success, testing::ElementsAre(1, 0, 0, 1));
  EXPECT_FALSE(table.of_rewards);
}

TEST(ObjectiveTest, IsRefusedWithLineAndValuesWhereItIsNoCost) {
  const auto message = [](const char* objective) {
    Protocol protocol = QuickReading();
    protocol.table.objective = objective;
    return ParseCsvTable("cluster,query,action,price,f_x\na,1,base,1,0\na,1,new,0,0\n", "t.csv",
                         protocol)
        .error()
        .message;
  };
  EXPECT_THAT(
      message("price - 2"),
      HasSubstr("t.csv:2: table.objective is -1 where price = 1, expected a finite number, 0 "
                "or more; where more is better declare table.reward"));
  EXPECT_THAT(message("1 / price"), HasSubstr("t.csv:3: table.objective is inf where price = 0"));
  EXPECT_THAT(message("prise"), HasSubstr("no column 'prise', which table.objective names (did you "
                                          "mean 'price'?)"));
  EXPECT_THAT(message("price * f_x"), HasSubstr("more than 0 for the reference"));
}

}  // namespace
}  // namespace gonogo::audit
