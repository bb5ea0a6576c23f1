// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

using testing::ElementsAre;

/// Deployment satisfied, allocation refuted, violation unresolved, by the paper's rule.
AuditResult ReadByThePaper() {
  AuditResult result;
  result.protocol.rule.kind = DecisionRule::kPaper;
  result.h_dep = {.point = 0.03, .interval = stats::Interval{0.02, 0.04}};
  result.h_alloc = {.point = 0.001, .interval = stats::Interval{-0.005, 0.008}};
  result.q = {.point = 0.03, .interval = stats::Interval{0.01, 0.06}};
  result.h_total = {.point = 0.05, .interval = stats::Interval{0.04, 0.06}};
  result.paper_reading = Decide({.deployment = *result.h_dep.interval,
                                 .allocation = *result.h_alloc.interval,
                                 .violation = *result.q.interval},
                                result.protocol.thresholds);
  return result;
}

/// The same, with a calibrated rule whose refuting bounds are wider than its intervals.
AuditResult ReadByBoth() {
  AuditResult result = ReadByThePaper();
  result.protocol.rule.kind = DecisionRule::kCalibrated;
  CalibratedAudit calibrated{Decision{.verdict = Verdict::kNoGo,
                                      .deployment = Channel::kSatisfied,
                                      .allocation = Channel::kRefuted,
                                      .violation = Channel::kRefuted,
                                      .improvement = Channel::kUnresolved}};
  calibrated.h_dep = CalibratedGain{.point = 0.035, .interval = {0.021, 0.049}};
  calibrated.h_alloc =
      CalibratedGain{.point = 0.002, .interval = {-0.004, 0.0085}, .refuting_upper = 0.0095};
  calibrated.h_total = CalibratedGain{.point = 0.055, .interval = {-0.01, 0.12}};
  calibrated.q = {.point = 0.09, .interval = {0.07, 0.11}, .refuting_lower = 0.06};
  result.calibrated = calibrated;
  return result;
}

std::vector<std::string_view> Keys(const RuleReading& rule) {
  std::vector<std::string_view> keys;
  for (const ChannelReading& reading : rule.channels) keys.push_back(reading.key);
  return keys;
}

TEST(ReadingsTest, NamesTheBoundThatSatisfiedOrRefuted) {
  const RuleReading rule = ReadRules(ReadByThePaper()).at(0);
  EXPECT_EQ(rule.verdict, Verdict::kNoGo);
  EXPECT_TRUE(rule.decides);
  const ChannelReading& deployment = rule.channels.at(0);
  EXPECT_EQ(deployment.state, Channel::kSatisfied);
  EXPECT_EQ(deployment.decided_by->end, IntervalEnd::kLower);
  EXPECT_EQ(deployment.decided_by->value, 0.02);
  const ChannelReading& allocation = rule.channels.at(1);
  EXPECT_EQ(allocation.state, Channel::kRefuted);
  EXPECT_EQ(allocation.decided_by->end, IntervalEnd::kUpper);
  EXPECT_EQ(allocation.decided_by->value, 0.008);
}

TEST(ReadingsTest, NamesTheBoundAGoWaitsForWhereNothingIsSettled) {
  const ChannelReading violation = ReadRules(ReadByThePaper()).at(0).channels.at(2);
  EXPECT_EQ(violation.state, Channel::kUnresolved);
  EXPECT_EQ(violation.decided_by->end, IntervalEnd::kUpper);
  EXPECT_EQ(violation.decided_by->value, 0.06);
}

TEST(ReadingsTest, TakesEveryThresholdFromTheProtocol) {
  AuditResult result = ReadByBoth();
  result.protocol.thresholds = {.delta_dep = 0.015, .delta_alloc = 0.005, .kappa = 0.1};
  const RuleReading rule = ReadRules(result).at(0);
  std::vector<std::string> needed;
  for (const ChannelReading& reading : rule.channels) needed.push_back(Needed(reading));
  EXPECT_THAT(needed, ElementsAre("> 1.50 %", "> 0.50 %", "<= 10.00 %", "> 0.00 %"));
}

TEST(ReadingsTest, PutsTheDeclaredRuleFirst) {
  AuditResult result = ReadByBoth();
  std::vector<RuleReading> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].rule, DecisionRule::kCalibrated);
  EXPECT_TRUE(rules[0].decides);
  EXPECT_FALSE(rules[1].decides);
  EXPECT_THAT(Keys(rules[0]), ElementsAre("H_dep", "H_alloc", "q", "H_total"));
  EXPECT_THAT(Keys(rules[1]), ElementsAre("H_dep", "H_alloc", "q"));
  result.protocol.rule.kind = DecisionRule::kPaper;
  rules = ReadRules(result);
  EXPECT_EQ(rules[0].rule, DecisionRule::kPaper);
  EXPECT_TRUE(rules[0].decides);
  EXPECT_EQ(rules[1].verdict, Verdict::kNoGo);
}

TEST(ReadingsTest, LetsThePaperDecideWhereTheDeclaredRuleCouldNotBeComputed) {
  AuditResult result = ReadByThePaper();
  result.protocol.rule.kind = DecisionRule::kCalibrated;
  const std::vector<RuleReading> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].rule, DecisionRule::kPaper);
  EXPECT_TRUE(rules[0].decides);
}

TEST(ReadingsTest, RefutesByTheWiderBoundOfARuleThatHasOne) {
  const RuleReading rule = ReadRules(ReadByBoth()).at(0);
  EXPECT_EQ(rule.channels.at(1).decided_by->value, 0.0095);
  EXPECT_EQ(rule.channels.at(2).decided_by->end, IntervalEnd::kLower);
  EXPECT_EQ(rule.channels.at(2).decided_by->value, 0.06);
  EXPECT_EQ(rule.channels.at(2).interval->lower, 0.07);
}

TEST(ReadingsTest, ShowsTheCrossFitWhereTheRuleHasNoEstimate) {
  AuditResult result = ReadByBoth();
  result.calibrated->h_alloc.reset();
  result.calibrated->allocation = Channel::kUnresolved;
  const ChannelReading allocation = ReadRules(result).at(0).channels.at(1);
  EXPECT_EQ(allocation.point, 0.001);
  EXPECT_FALSE(allocation.interval.has_value());
  EXPECT_FALSE(allocation.decided_by.has_value());
  EXPECT_EQ(allocation.state, Channel::kUnresolved);
}

TEST(ReadingsTest, ReadsNothingWithFewerClustersThanDeclared) {
  AuditResult result = ReadByBoth();
  result.paper_reading.reset();
  for (const RuleReading& rule : ReadRules(result)) {
    EXPECT_FALSE(rule.verdict.has_value());
    for (const ChannelReading& reading : rule.channels) {
      EXPECT_FALSE(reading.state.has_value()) << reading.key;
      EXPECT_FALSE(reading.decided_by.has_value()) << reading.key;
      EXPECT_TRUE(reading.interval.has_value()) << reading.key;
    }
  }
}

}  // namespace
}  // namespace gonogo::audit
