// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/studies/studies.h"
#include "gonogo/paper/testing/made_up_evaluation.h"
#include "gonogo/paper/testing/made_up_sections.h"

namespace gonogo::paper {
namespace {

using testing::ElementsAre;

TEST(FrontierSectionTest, PutsThePapersRowBesideOursAndComparesAtEqualTime) {
  // By time: direct (2.0 s), vgcc (2.2), scale-0.75 (2.4). At 2.2 s the scales are at 0.7.
  const report::Section section =
      FrontierSection(MadeUp({"direct", "vgcc", "scale-0.75"}, {2.0, 1.8, 1.6}, {0.8, 0.77, 0.6}));
  EXPECT_THAT(RowOf(section, 1, {"vgcc"}),
              ElementsAre("vgcc", "1.000", "77.00", "0.00", "2.200", "0.770", "0.802", "128.20",
                          "56.99", "2.207", "0.737"));
  const std::vector<std::string> equal_time = RowOf(section, 2, {"vgcc"});
  EXPECT_EQ(equal_time.at(3), "0.700");
  EXPECT_EQ(equal_time.at(4), "+10.0 %");
  EXPECT_EQ(equal_time.at(6), "+2.5 %") << "0.737 over 0.724 - 0.039 * 0.062 / 0.503";
}

TEST(FrontierSectionTest, EveryMethodHasItsOwnRowOfThePaperAndTheMpcHasNone) {
  const report::Section section = FrontierSection(
      MadeUp({"governor", "direct", "vgcc-power", "mpc"}, {2.0, 1.8, 1.6, 1.5}, {1, 1, 1, 1}));
  EXPECT_EQ(RowOf(section, 1, {"governor"}).at(7), "128.51");
  EXPECT_EQ(RowOf(section, 1, {"direct"}).at(7), "135.07");
  EXPECT_EQ(RowOf(section, 1, {"vgcc-power"}).at(7), "128.28");
  EXPECT_EQ(RowOf(section, 1, {"mpc"}).at(7), "–");
}

TEST(FrontierSectionTest, TheMpcIsComparedOnTheFirstThreeSeedsAlone) {
  study::Evaluation evaluation =
      MadeUp({"direct", "mpc", "vgcc", "scale-0.90"}, {2, 2, 2, 2}, {0.8, 0.7, 0.75, 0.6});
  const std::vector<study::EvaluatedEpisode> two_seeds = evaluation.episodes;
  evaluation.plan.seeds = {1, 2, 3, 4};
  for (study::EvaluatedEpisode episode : two_seeds) {
    episode.seed += 2;
    if (episode.seed == 4) episode.result.cot = 100.0;  // the paper did not run it there
    evaluation.episodes.push_back(episode);
  }
  std::stable_sort(evaluation.episodes.begin(), evaluation.episodes.end(),
                   [](const auto& a, const auto& b) { return a.method < b.method; });
  const report::Section section = FrontierSection(evaluation);
  EXPECT_THAT(RowOf(section, 2, {"mpc"}), ElementsAre("mpc", "0.700", "0.757"));
  EXPECT_THAT(RowOf(section, 2, {"scale-0.90"}), ElementsAre("scale-0.90", "0.600", "0.721"));
}

TEST(FrontierSectionTest, AnotherRobotHasNoPublishedRow) {
  const report::Section section =
      FrontierSection(MadeUp({"direct", "scale-0.75"}, {2.0, 1.6}, {0.8, 0.6}, "mine"));
  EXPECT_EQ(RowOf(section, 1, {"direct"}).back(), "–");
}

TEST(ScaleOracleSectionTest, NamesTheBestSingleScale) {
  const report::Section section =
      ScaleOracleSection(MadeUp({"direct", "scale-0.75"}, {2.0, 1.6}, {0.8, 0.6}));
  EXPECT_THAT(RowOf(section, 1, {"best single scale"}),
              ElementsAre("best single scale", "scale-0.75", "scale-0.75"));
  EXPECT_THAT(RowOf(section, 1, {"scale-0.75: optimal in"}),
              ElementsAre(testing::_, "100 %", "78 %"));
  EXPECT_EQ(RowOf(section, 1, {"direct: optimal in"}).back(), "–");
  EXPECT_EQ(RowOf(section, 1, {"oracle below the best single scale"}).back(),
            "1.0 % [0.50 %, 1.70 %]");
}

TEST(ScaleOracleSectionTest, EveryRobotHasItsOwnPublishedColumn) {
  const auto episodes = [](const char* robot) {
    const report::Section section =
        ScaleOracleSection(MadeUp({"direct", "scale-0.75"}, {2.0, 1.6}, {0.8, 0.6}, robot));
    return RowOf(section, 1, {"episodes in which every scale succeeded"});
  };
  EXPECT_THAT(episodes("go2"), ElementsAre(testing::_, "16 of 16", "72"));
  EXPECT_THAT(episodes("h1"), ElementsAre(testing::_, "16 of 16", "197"));
  EXPECT_THAT(episodes("anymal_d"), ElementsAre(testing::_, "16 of 16", "–"));
}

}  // namespace
}  // namespace gonogo::paper
