// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/audit/sections.h"

namespace gonogo::report::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

// The paper's Go2/direct allocation and a VGCC-like deployment channel.
const Json kHopelessAllocation = R"({"rule": "paper", "name": "H_alloc", "threshold": 0.01,
  "direction": "above", "point": 0.0053, "lower": -0.003, "upper": 0.0078,
  "state": "refuted"})"_json;
const Json kPromisingDeployment = R"({"rule": "paper", "name": "H_dep", "threshold": 0.01,
  "direction": "above", "point": 0.0134, "lower": 0.0027, "upper": 0.0213,
  "state": "unresolved"})"_json;
const Json kSafe = R"({"rule": "paper", "name": "q", "threshold": 0.05, "direction": "below",
  "point": 0.02, "lower": 0.01, "upper": 0.034, "state": "satisfied"})"_json;

/// The section without its blocks' borders, as a page shows it.
std::string Reading(const Json& result) {
  const ResultNode node(result);
  std::string out;
  for (const Block& block : ReadingSection(node, ReadRules(node)[0]).blocks) {
    if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
      out += paragraph->text.typeset() + "\n";
    }
    const auto* list = std::get_if<List>(&block);
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      out += "- " + list->items[i].typeset() + "\n";
    }
  }
  return out;
}

std::string WithChannels(std::vector<Json> channels, Json result = Json::object()) {
  result["rule"] = "paper";
  result["channels"] = std::move(channels);
  return Reading(result);
}

Banner BannerOf(Json result) {
  result["rule"] = "paper";
  result["channels"] = {kPromisingDeployment, kHopelessAllocation, kSafe};
  const ResultNode node(result);
  return VerdictBanner(node, ReadRules(node)[0]);
}

TEST(ReadingTest, SaysHowFarTheBoundIsAndThatMoreOfTheSameCannotHelp) {
  EXPECT_THAT(WithChannels({kHopelessAllocation, kSafe}),
              HasSubstr("- Allocation gain: the lower bound is −0.30\u202f% and has to rise above "
                        "1.00\u202f%; 1.30 points are missing. The estimate itself is "
                        "0.53\u202f%: if that is the truth, more clusters of the same kind will "
                        "not help, only better features or better actions.\n"));
}

TEST(ReadingTest, NamesTheClustersThatCouldSettleAnOpenChannel) {
  const Json result = R"({"folds": [{}, {}],
    "resolution": [{"channel": "H_dep", "clusters": 86}]})"_json;
  const std::string text = WithChannels({kPromisingDeployment}, result);
  EXPECT_THAT(text, HasSubstr("0.73 points are missing"));
  EXPECT_THAT(text, HasSubstr("a narrower interval could settle it"));
  EXPECT_THAT(text, HasSubstr("About 86 clusters would give it an even chance (there are 2)."));
}

TEST(ReadingTest, DoesNotAskForFewerClustersThanThereAreOrThanAreDeclared) {
  Json result = R"({"folds": [{}, {}], "protocol": {"min_clusters": 2},
    "resolution": [{"channel": "H_dep", "clusters": 2}]})"_json;
  EXPECT_THAT(WithChannels({kPromisingDeployment}, result), Not(HasSubstr("even chance")));
  result["resolution"][0]["clusters"] = 12;
  EXPECT_THAT(WithChannels({kPromisingDeployment}, result), HasSubstr("About 12 clusters"));
  result["protocol"]["min_clusters"] = 20;
  EXPECT_THAT(WithChannels({kPromisingDeployment}, result), Not(HasSubstr("even chance")));
}

TEST(ReadingTest, SaysFirstThatADescriptiveResultDecidesNothing) {
  EXPECT_THAT(WithChannels({kSafe}, {{"status", "descriptive"}}),
              testing::ContainsRegex("only a confirmatory one decides.\n- Every threshold is met"));
}

TEST(ReadingTest, SaysHowCloseTheClosestChannelOfAGoWas) {
  Json clear = kPromisingDeployment;
  clear["lower"] = 0.0117;
  clear["state"] = "satisfied";
  EXPECT_THAT(WithChannels({clear, kSafe}),
              HasSubstr("the deployment gain, whose lower bound of 1.17\u202f% is 0.17 points on "
                        "the right side of 1.00\u202f%"));
}

TEST(ReadingTest, AsksForNothingWhereTooFewClustersWereRead) {
  Json unread = kSafe;
  unread["state"] = nullptr;
  EXPECT_THAT(WithChannels({unread, unread}),
              HasSubstr("- Nothing was decided: there are fewer clusters than declared.\n"));
}

TEST(ReadingTest, DoesNotAskForMoreWhereTheRuleDistrustsASufficientBound) {
  Json distrusted = kPromisingDeployment;
  distrusted["lower"] = 0.0117;
  EXPECT_THAT(WithChannels({distrusted}), HasSubstr("but the rule does not rely on it"));
}

TEST(ReadingTest, SaysNothingOfOtherRules) {
  const Json result = R"({"rule": "paper", "rules": [{"name": "paper", "decision": "ABSTAIN"},
    {"name": "calibrated", "decision": "GO"}]})"_json;
  EXPECT_THAT(Reading(result), Not(HasSubstr("calibrated")));
  EXPECT_THAT(Reading(result), Not(HasSubstr("disagree")));
}

TEST(BannerTest, NamesTheChannelsBehindTheDecision) {
  EXPECT_THAT(BannerOf({{"decision", "NO-GO"}}).headline.plain,
              HasSubstr("misses the threshold for the allocation gain."));
  EXPECT_THAT(BannerOf({{"decision", "ABSTAIN"}}).headline.plain,
              HasSubstr("inside the interval of the deployment gain."));
}

TEST(BannerTest, GivesADescriptiveResultNoVerdictWord) {
  const Banner banner = BannerOf({{"decision", nullptr}, {"reading", "GO"}});
  EXPECT_EQ(banner.word.text.plain, "DESCRIPTIVE");
  EXPECT_THAT(banner.headline.plain, HasSubstr("No formal decision"));
  EXPECT_THAT(banner.headline.plain, HasSubstr("The intervals by themselves would read GO."));
}

Json Puzzling() {
  return R"({"protocol": {"reference": "direct"}, "rule": "paper",
    "estimates": {"H_avail": {"point": 0.0598}, "H_global": {"point": 0.0},
                  "H_total": {"point": -0.012}, "H_dep": {"point": 0.0093},
                  "H_alloc": {"point": -0.0004}, "q": {"point": 0.0104}},
    "folds": [{"reference": "slow"}, {"reference": "slow"}, {"reference": "direct"}]})"_json;
}

TEST(SummaryTest, SaysThatTheFixedActionWasChosenForEveryCluster) {
  const std::string text = Reading(Puzzling());
  EXPECT_THAT(text, HasSubstr("always using “direct”, the learned adapter, judged on clusters it "
                              "was not trained on, costs 1.20\u202f% more."));
  EXPECT_THAT(text,
              HasSubstr("the best fixed action, the learned adapter saves 0.93\u202f% of the cost; "
                        "that action was chosen anew for every cluster from the other clusters "
                        "(“direct” for 1 cluster and “slow” for 2 clusters)."));
  EXPECT_THAT(text, HasSubstr("as often but at random queries, the learned adapter costs "
                              "0.04\u202f% more."));
  EXPECT_THAT(text, HasSubstr("picked with all outcomes in view, would save 0.00\u202f%; the fixed "
                              "action above was picked by another criterion"));
}

TEST(SummaryTest, NamesTheOneActionThatARuleAboutTheShippedAdapterComparesWith) {
  Json result = Puzzling();
  result["rule"] = "calibrated";
  result["rules"] = R"([{"name": "paper"},
                        {"name": "calibrated", "reference": {"shipped": "slow"}}])"_json;
  EXPECT_THAT(Reading(result),
              HasSubstr("that action is “slow”, which all clusters together choose."));
}

TEST(SummaryTest, TakesTheNumbersOfTheRuleThatDecides) {
  Json result = Puzzling();
  result["rule"] = "calibrated";
  result["channels"] = R"([{"rule": "calibrated", "name": "H_dep", "point": 0.0201},
                           {"rule": "calibrated", "name": "H_total", "point": 0.0302}])"_json;
  const std::string text = Reading(result);
  EXPECT_THAT(text, HasSubstr("estimates of the calibrated rule, which decides"));
  EXPECT_THAT(text, HasSubstr("saves 2.01\u202f%"));
  EXPECT_THAT(text, HasSubstr("saves 3.02\u202f%"));
  EXPECT_THAT(text, HasSubstr("would save 5.98\u202f%"));
}

TEST(SummaryTest, SpeaksOfGivenChoicesInThePlural) {
  Json result = Puzzling();
  result["source"] = "choices";
  EXPECT_THAT(Reading(result),
              HasSubstr("always using “direct”, the given choices cost 1.20\u202f% more."));
}

}  // namespace
}  // namespace gonogo::report::internal
