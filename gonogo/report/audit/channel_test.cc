// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/channel.h"

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

Channel Gain(double lower, double upper) {
  return {.key = "H_dep", .threshold = 0.01, .above = true, .lower = lower, .upper = upper};
}
Channel Violations(double lower, double upper) {
  return {.key = "q", .threshold = 0.05, .above = false, .lower = lower, .upper = upper};
}

TEST(ChannelTest, FollowsTheLiteralInequalitiesAtEquality) {
  EXPECT_EQ(Gain(0.0101, 0.02).state(), ChannelState::kSatisfied);
  EXPECT_EQ(Gain(0.01, 0.02).state(), ChannelState::kUnresolved);
  EXPECT_EQ(Gain(-0.02, 0.01).state(), ChannelState::kUnresolved);
  EXPECT_EQ(Gain(-0.02, 0.0099).state(), ChannelState::kRefuted);
  EXPECT_EQ(Violations(0.0, 0.05).state(), ChannelState::kSatisfied);
  EXPECT_EQ(Violations(0.05, 0.06).state(), ChannelState::kUnresolved);
  EXPECT_EQ(Violations(0.0501, 0.06).state(), ChannelState::kRefuted);
}

TEST(ChannelTest, RefutesByTheWiderBoundOfARuleThatHasOne) {
  Channel gain = Gain(-0.02, 0.0099);
  gain.refuting = 0.012;
  EXPECT_EQ(gain.state(), ChannelState::kUnresolved);
}

TEST(ChannelTest, BelievesTheStateTheResultStates) {
  const Json result = R"({"channels": [{"name": "H_dep", "threshold": 0.01, "direction": "above",
    "lower": 0.02, "upper": 0.03, "state": "unresolved"}]})"_json;
  EXPECT_EQ(ReadRules(result)[0].channels[0].state(), ChannelState::kUnresolved);
}

TEST(ChannelTest, IsUnresolvedWithoutAnInterval) {
  EXPECT_EQ(Channel{.key = "H_dep"}.state(), ChannelState::kUnresolved);
}

TEST(ChannelTest, PutsTheRuleThatDecidedFirst) {
  const Json result = R"({"rule": "calibrated", "rules": [
    {"name": "paper", "decision": "ABSTAIN"}, {"name": "calibrated", "decision": "GO"}]})"_json;
  const std::vector<Rule> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].name, "calibrated");
  EXPECT_EQ(rules[1].decision, "ABSTAIN");
}

TEST(ChannelTest, ListsEveryChannelOfAnyRuleOnce) {
  const Channel total{.key = "H_total"};
  const Channel wider = Gain(-1.0, 1.0);
  const std::vector<Channel> all =
      AllChannels({{.channels = {Gain(0.02, 0.03)}}, {.channels = {wider, total}}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].lower, 0.02);
  EXPECT_EQ(all[1].key, "H_total");
}

TEST(ChannelTest, TakesAMissingPointFromTheEstimates) {
  const Json result = R"({"estimates": {"H_dep": {"point": 0.0134}},
    "channels": [{"name": "H_dep", "threshold": 0.01, "direction": "above",
                  "lower": 0.003, "upper": 0.02}]})"_json;
  const std::vector<Rule> rules = ReadRules(result);
  ASSERT_EQ(rules.size(), 1u);
  ASSERT_EQ(rules[0].channels.size(), 1u);
  EXPECT_EQ(rules[0].channels[0].point, 0.0134);
}

TEST(ChannelTest, HasARuleWithoutChannelsForAnEmptyResult) {
  const std::vector<Rule> rules = ReadRules(Json::object());
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_TRUE(rules[0].channels.empty());
}

}  // namespace
}  // namespace gonogo::report::internal
