// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The paper's Go2/direct allocation and a VGCC-like deployment channel.
const Channel kHopelessAllocation{.key = "H_alloc",
                                  .threshold = 0.01,
                                  .point = 0.0053,
                                  .lower = -0.003,
                                  .upper = 0.0078,
                                  .state = ChannelState::kRefuted};
const Channel kPromisingDeployment{.key = "H_dep",
                                   .threshold = 0.01,
                                   .point = 0.0134,
                                   .lower = 0.0027,
                                   .upper = 0.0213,
                                   .state = ChannelState::kUnresolved};
const Channel kSafe{.key = "q",
                    .threshold = 0.05,
                    .above = false,
                    .point = 0.02,
                    .lower = 0.01,
                    .upper = 0.034,
                    .state = ChannelState::kSatisfied};

TEST(AuditReadingTest, SaysHowFarTheBoundIsAndThatMoreOfTheSameCannotHelp) {
  const Rule rule{.channels = {kHopelessAllocation, kSafe}};
  EXPECT_THAT(WhatWouldChange(rule, Json::object()),
              ElementsAre("Allocation gain: the lower bound is −0.30\u202f% and has to rise above "
                          "1.00\u202f%; 1.30 points are missing. The estimate itself is "
                          "0.53\u202f%: if that is the truth, more clusters of the same kind will "
                          "not help, only better features or better actions."));
}

TEST(AuditReadingTest, NamesTheClustersThatCouldSettleAnOpenChannel) {
  const Json result = R"({"folds": [{}, {}],
    "resolution": [{"channel": "H_dep", "clusters": 86}]})"_json;
  const std::vector<std::string> items =
      WhatWouldChange({.channels = {kPromisingDeployment}}, result);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_THAT(items[0], HasSubstr("0.73 points are missing"));
  EXPECT_THAT(items[0], HasSubstr("a narrower interval could settle it"));
  EXPECT_THAT(items[0], HasSubstr("About 86 clusters would give it an even chance (there are 2)."));
}

TEST(AuditReadingTest, DoesNotAskForFewerClustersThanThereAreOrThanAreDeclared) {
  Json result = R"({"folds": [{}, {}], "protocol": {"min_clusters": 2},
    "resolution": [{"channel": "H_dep", "clusters": 2}]})"_json;
  const Rule rule{.name = "calibrated", .channels = {kPromisingDeployment}};
  EXPECT_THAT(WhatWouldChange(rule, result)[0], Not(HasSubstr("even chance")));
  result["resolution"][0]["clusters"] = 12;
  EXPECT_THAT(WhatWouldChange(rule, result)[0],
              HasSubstr("By the paper's intervals about 12 clusters"));
  result["protocol"]["min_clusters"] = 20;
  EXPECT_THAT(WhatWouldChange(rule, result)[0], Not(HasSubstr("even chance")));
}

TEST(AuditReadingTest, SaysFirstThatADescriptiveResultDecidesNothing) {
  const Rule met{.channels = {kSafe}};
  EXPECT_THAT(WhatWouldChange(met, {{"status", "descriptive"}}),
              ElementsAre(HasSubstr("only a confirmatory one decides"),
                          HasSubstr("Every threshold is met")));
}

TEST(AuditReadingTest, SaysWhatEligibleMeansWhereSomethingWasNotRecorded) {
  const auto meaning = [](const char* table) {
    return WhatEligibleMeans({{"table", Json::parse(table)}});
  };
  EXPECT_EQ(meaning(R"({"time": true, "success": true, "eligible_given": false})"), "");
  EXPECT_THAT(meaning(R"({"time": false, "success": true})"), HasSubstr("No time was recorded"));
  EXPECT_THAT(meaning(R"({"time": true, "success": false})"), HasSubstr("No success"));
  EXPECT_THAT(meaning(R"({"time": false, "success": false})"), HasSubstr("Neither"));
  EXPECT_THAT(meaning(R"({"time": false, "eligible_given": true})"), HasSubstr("was given"));
  EXPECT_EQ(WhatEligibleMeans(Json::object()), "");
}

TEST(AuditReadingTest, SaysHowTheEstimatesWereMade) {
  EXPECT_THAT(WhoseEstimates({{"intervals", "choices"}}, {{}}), HasSubstr("choices are taken"));
  EXPECT_THAT(WhoseEstimates({{"intervals", "folds"}}, {{}}), HasSubstr("resample these fitted"));
  EXPECT_THAT(WhoseEstimates({{"intervals", "refit"}}, {{}}), Not(HasSubstr("the paper's")));
}

TEST(AuditReadingTest, SaysHowCloseTheClosestChannelOfAGoWas) {
  Channel clear = kPromisingDeployment;
  clear.lower = 0.0117;
  clear.state = ChannelState::kSatisfied;
  EXPECT_THAT(WhatWouldChange({.channels = {clear, kSafe}}, Json::object()),
              ElementsAre(HasSubstr("the deployment gain, whose lower bound of 1.17\u202f% is 0.17 "
                                    "points on the right side of 1.00\u202f%")));
}

TEST(AuditReadingTest, AsksForNothingWhereTooFewClustersWereRead) {
  Channel unread = kSafe;
  unread.state = ChannelState::kNotRead;
  EXPECT_THAT(WhatWouldChange({.channels = {unread, unread}}, {{"status", "descriptive"}}),
              ElementsAre(HasSubstr("only a confirmatory one decides"),
                          "Nothing was decided: there are fewer clusters than declared."));
}

TEST(AuditReadingTest, AsksTheQuestionOfAChannelBeforeItAnswers) {
  Channel asked = kPromisingDeployment;
  asked.question = "Is it better?";
  EXPECT_EQ(ReadChannel(asked),
            "Is it better? Cost saved against the best fixed action. Estimated at 1.34\u202f%, "
            "between 0.27\u202f% and 2.13\u202f%.");
  asked.lower = std::nullopt;
  EXPECT_THAT(ReadChannel(asked), HasSubstr("There is no interval."));
}

TEST(AuditReadingTest, NamesTheChannelsBehindTheDecision) {
  const Rule rule{.channels = {kPromisingDeployment, kHopelessAllocation, kSafe}};
  EXPECT_THAT(VerdictBanner({{"decision", "NO-GO"}}, rule).headline,
              HasSubstr("misses the threshold for the allocation gain."));
  EXPECT_THAT(VerdictBanner({{"decision", "ABSTAIN"}}, rule).headline,
              HasSubstr("inside the interval of the deployment gain."));
}

TEST(AuditReadingTest, GivesADescriptiveResultNoVerdictWord) {
  const Banner banner = VerdictBanner({{"decision", nullptr}, {"status", "descriptive"}}, {});
  EXPECT_EQ(banner.word.text, "Descriptive");
  EXPECT_EQ(banner.word.tone, Tone::kOpen);
  EXPECT_THAT(banner.headline, HasSubstr("No formal decision"));
}

TEST(AuditReadingTest, SaysWhatADescriptiveResultWouldRead) {
  EXPECT_THAT(VerdictBanner({{"decision", nullptr}, {"reading", "GO"}}, {}).headline,
              HasSubstr("The intervals by themselves would read GO."));
}

TEST(AuditReadingTest, DoesNotAskForMoreWhereTheRuleDistrustsASufficientBound) {
  Channel distrusted = kPromisingDeployment;
  distrusted.lower = 0.0117;
  EXPECT_THAT(WhatWouldChange({.channels = {distrusted}}, Json::object()),
              ElementsAre(HasSubstr("but the rule does not rely on it")));
}

TEST(AuditReadingTest, SpeaksUpOnlyWhenTheRulesDisagree) {
  const Rule paper{.name = "paper", .decision = "ABSTAIN"};
  const Rule calibrated{.name = "calibrated", .decision = "GO"};
  EXPECT_THAT(Disagreement({paper, calibrated}),
              HasSubstr("paper says ABSTAIN, calibrated says GO"));
  EXPECT_EQ(Disagreement({paper, paper}), "");
}

}  // namespace
}  // namespace gonogo::report::internal
