// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The numbers a reader took for a contradiction: nothing to gain from one action, a selector that
/// loses, and yet a gain over the best fixed action.
Json Puzzling() {
  return R"({"protocol": {"reference": "direct"},
    "estimates": {"H_avail": {"point": 0.0598}, "H_global": {"point": 0.0},
                  "H_total": {"point": -0.012}, "H_dep": {"point": 0.0093},
                  "H_alloc": {"point": -0.0004}, "q": {"point": 0.0104}},
    "folds": [{"reference": "slow"}, {"reference": "slow"}, {"reference": "direct"}]})"_json;
}

TEST(StoryTest, SaysThatTheFixedActionWasChosenForEveryCluster) {
  const std::vector<std::string> paragraphs = Story(Puzzling(), {.name = "paper"});
  ASSERT_EQ(paragraphs.size(), 2u);
  EXPECT_THAT(paragraphs[0], HasSubstr("always using “direct”, the learned adapter, judged on "
                                       "clusters it was not trained on, costs 1.20\u202f% more."));
  EXPECT_THAT(paragraphs[0],
              HasSubstr("the best fixed action, the learned adapter saves 0.93\u202f% of the cost; "
                        "that action was chosen anew for every cluster from the other clusters "
                        "(“direct” for 1 cluster and “slow” for 2 clusters)."));
  EXPECT_THAT(paragraphs[0], HasSubstr("as often but at random queries, the learned adapter "
                                       "costs 0.04\u202f% more."));
  EXPECT_THAT(paragraphs[1], HasSubstr("picked with all outcomes in view, would save 0.00\u202f%; "
                                       "the fixed action above was picked by another criterion"));
}

TEST(StoryTest, NamesTheOneActionThatARuleAboutTheShippedAdapterComparesWith) {
  Json result = Puzzling();
  result["rules"] = R"([{"name": "paper"},
                        {"name": "calibrated", "reference": {"shipped": "slow"}}])"_json;
  EXPECT_THAT(Story(result, {.name = "calibrated"})[0],
              HasSubstr("that action is “slow”, which all clusters together choose."));
}

TEST(StoryTest, KeepsTheNumbersOfOneRuleInAParagraph) {
  const Rule calibrated{
      .name = "calibrated",
      .channels = {{.key = "H_dep", .point = 0.0201}, {.key = "H_total", .point = 0.0302}}};
  const std::vector<std::string> paragraphs = Story(Puzzling(), calibrated);
  EXPECT_THAT(paragraphs[0], HasSubstr("estimates of the calibrated rule, which decides"));
  EXPECT_THAT(paragraphs[0], HasSubstr("saves 2.01\u202f%"));
  EXPECT_THAT(paragraphs[0], HasSubstr("saves 3.02\u202f%"));
  EXPECT_THAT(paragraphs[0], Not(HasSubstr("5.98")));
  EXPECT_THAT(paragraphs[1], HasSubstr("5.98\u202f%"));
}

TEST(StoryTest, SpeaksOfGivenChoicesInThePlural) {
  Json result = Puzzling();
  result["source"] = "choices";
  EXPECT_THAT(Story(result, {})[0], HasSubstr("always using “direct”, the given choices cost "
                                              "1.20\u202f% more."));
}

TEST(StoryTest, AnEmptyResultHasNothingToTell) {
  EXPECT_THAT(Story(Json::object(), {}), ElementsAre());
}

}  // namespace
}  // namespace gonogo::report::internal
