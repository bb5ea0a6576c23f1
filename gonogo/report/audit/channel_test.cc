// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/channel.h"

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

TEST(ChannelTest, BelievesWhatTheResultStates) {
  // A bound above its threshold that the rule does not rely on: the page must not know better.
  const Json result = R"({"rule": "calibrated", "channels": [{"rule": "calibrated",
    "name": "H_dep", "question": "Is it better?", "threshold": 0.01, "direction": "above",
    "point": 0.025, "lower": 0.02, "upper": 0.03,
    "decided_by": {"end": "lower", "value": 0.02}, "state": "unresolved"}]})"_json;
  const Channel channel = ReadRules(result)[0].channels.at(0);
  EXPECT_EQ(channel.state, ChannelState::kUnresolved);
  EXPECT_EQ(channel.question, "Is it better?");
  EXPECT_EQ(channel.deciding_end, "lower");
  EXPECT_EQ(channel.deciding_bound, 0.02);
  EXPECT_EQ(channel.point, 0.025);
}

TEST(ChannelTest, TakesTheGoSideFromTheDirection) {
  const Json result = R"({"channels": [{"name": "q", "direction": "below", "lower": 0.01,
    "upper": 0.04}]})"_json;
  const Channel channel = ReadRules(result)[0].channels.at(0);
  EXPECT_FALSE(channel.above);
  EXPECT_EQ(channel.satisfying_bound(), 0.04);
}

TEST(ChannelTest, IsNotReadWhereTheResultStatesNothing) {
  const Json result = R"({"channels": [{"name": "H_dep", "state": null}]})"_json;
  EXPECT_EQ(ReadRules(result)[0].channels.at(0).state, ChannelState::kNotRead);
}

TEST(ChannelTest, PutsTheRuleThatDecidesFirst) {
  const Json result = R"({"rule": "calibrated", "rules": [
    {"name": "paper", "decision": "ABSTAIN"}, {"name": "calibrated", "decision": "GO"}]})"_json;
  const std::vector<Rule> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].name, "calibrated");
  EXPECT_EQ(rules[0].decision, "GO");
  EXPECT_EQ(rules[1].decision, "ABSTAIN");
}

TEST(ChannelTest, GivesEveryRuleItsOwnChannels) {
  const Json result = R"({"rule": "paper", "channels": [
    {"rule": "paper", "name": "H_dep", "lower": 0.02},
    {"rule": "calibrated", "name": "H_dep", "lower": 0.01}]})"_json;
  const std::vector<Rule> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].channels.at(0).lower, 0.02);
  EXPECT_EQ(rules[1].channels.at(0).lower, 0.01);
}

TEST(ChannelTest, ListsEveryChannelOfAnyRuleOnce) {
  const Channel total{.key = "H_total"};
  const Channel gain{.key = "H_dep", .lower = 0.02, .upper = 0.03};
  const Channel wider{.key = "H_dep", .lower = -1.0, .upper = 1.0};
  const std::vector<Channel> all =
      AllChannels({{.channels = {gain}}, {.channels = {wider, total}}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].lower, 0.02);
  EXPECT_EQ(all[1].key, "H_total");
}

TEST(ChannelTest, HasARuleWithoutChannelsForAnEmptyResult) {
  const std::vector<Rule> rules = ReadRules(Json::object());
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_TRUE(rules[0].channels.empty());
}

}  // namespace
}  // namespace gonogo::report::internal
