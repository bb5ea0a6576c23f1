// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/rules.h"

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

TEST(RulesTest, BelieveWhatTheResultStates) {
  // A bound above its threshold that the rule does not rely on: the page must not know better.
  const Json result = R"({"rule": "calibrated", "channels": [{"rule": "calibrated",
    "name": "H_dep", "threshold": 0.01, "lower": 0.02, "state": "unresolved"}]})"_json;
  EXPECT_EQ(StateOf(ReadRules(ResultNode(result))[0].channels.at(0)), "unresolved");
}

TEST(RulesTest, TakeTheGoSideFromTheDirection) {
  const Json result = R"({"channels": [{"name": "q", "direction": "below", "lower": 0.01,
    "upper": 0.04, "threshold": 0.05}]})"_json;
  const ResultNode channel = ReadRules(ResultNode(result))[0].channels.at(0);
  EXPECT_EQ(GoBound(channel).number(), 0.04);
  EXPECT_EQ(Needed(channel).plain, "<= 5.00 %");
  EXPECT_EQ(Needed(channel).typeset(), "≤ 5.00\u202f%");
}

TEST(RulesTest, AreNotReadWhereTheResultStatesNothing) {
  const Json result = R"({"channels": [{"name": "H_dep", "state": null}]})"_json;
  const Cell badge = StateBadge(ReadRules(ResultNode(result))[0].channels.at(0));
  EXPECT_EQ(badge.text.plain, "");
  EXPECT_EQ(badge.text.typeset(), "not read");
}

TEST(RulesTest, BeginWithTheOneThatDecides) {
  const Json result = R"({"rule": "calibrated", "rules": [
    {"name": "paper", "decision": "ABSTAIN"}, {"name": "calibrated", "decision": "GO"}]})"_json;
  const std::vector<Rule> rules = ReadRules(ResultNode(result));
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].name, "calibrated");
  EXPECT_EQ(rules[0].decision, "GO");
  EXPECT_EQ(rules[1].decision, "ABSTAIN");
}

TEST(RulesTest, HaveTheirOwnChannels) {
  const Json result = R"({"rule": "paper", "channels": [
    {"rule": "paper", "name": "H_dep", "lower": 0.02},
    {"rule": "calibrated", "name": "H_dep", "lower": 0.01}]})"_json;
  const std::vector<Rule> rules = ReadRules(ResultNode(result));
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].channels.at(0)["lower"].number(), 0.02);
  EXPECT_EQ(rules[1].channels.at(0)["lower"].number(), 0.01);
}

TEST(RulesTest, OfAnEmptyResultAreOneWithoutChannels) {
  const Json nothing = Json::object();
  const std::vector<Rule> rules = ReadRules(ResultNode(nothing));
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_TRUE(rules[0].channels.empty());
}

TEST(RulesTest, ExplainAQuantityWithTheNameOfTheCost) {
  const Json result = R"({"protocol": {"declared": {"table.cost": "\"joules\""}}})"_json;
  EXPECT_EQ(MeaningOf("H_dep", CostName(ResultNode(result))).plain,
            "share of the joules saved against the best fixed action");
  EXPECT_EQ(QuantityName("H_dep").typeset(), "Deployment gain (H_dep)");
  EXPECT_EQ(QuantityName("unknown").typeset(), "unknown");
}

}  // namespace
}  // namespace gonogo::report::internal
