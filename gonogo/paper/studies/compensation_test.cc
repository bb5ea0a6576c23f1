// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/studies/studies.h"
#include "gonogo/paper/testing/made_up_evaluation.h"
#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const study::Evaluation kBoth = MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72});

TEST(HarderSectionTest, PutsThePapersMeansWithTheirIntervalsBesideOurs) {
  const report::Section section = HarderSection(kBoth);
  EXPECT_EQ(RowOf(section, 1, {"vgcc"}).at(6), "0.797 [0.760, 0.835]");
  EXPECT_EQ(RowOf(section, 1, {"direct"}).at(7), "2.208 [2.156, 2.256]");
  EXPECT_EQ(RowOf(section, 1, {"direct"}).at(8), "0.000");
  EXPECT_THAT(report::SectionText(section), HasSubstr("(paper: 400 on five)"));
  EXPECT_THAT(report::SectionText(section),
              HasSubstr("Paper: effort −14.3\u202f% … −6.4\u202f% by seed, lower on 5 of 5 seeds; "
                        "success −0.05 … +0.05."));
}

TEST(HarderSectionTest, DifferencesAreAgainstDirectControl) {
  EXPECT_THAT(RowOf(HarderSection(kBoth), 1, {"difference"}),
              ElementsAre("difference", "0.000", "−10.0 %", "0.000", "0.000", "0.000", "−0.008",
                          "−10.5 %", ""));
}

TEST(HarderSectionTest, AnotherRobotStandsAlone) {
  study::Evaluation mine = kBoth;
  mine.robot = "mine";
  const report::Section section = HarderSection(mine);
  EXPECT_THAT(RowOf(section, 1, {"vgcc"}), ElementsAre("vgcc", _, _, _, _, _, "–", "–", "–"));
  EXPECT_THAT(RowOf(section, 1, {"difference"}), ElementsAre(_, _, _, _, _, _, "–", "–", ""));
  EXPECT_THAT(report::SectionText(section), Not(HasSubstr("Paper: effort")));
  EXPECT_EQ(RowOf(TorqueSection(mine), 1, {"success"}).back(), "");
  EXPECT_THAT(report::SectionText(TorqueSection(mine)), Not(HasSubstr("−8.4")));
  EXPECT_EQ(RowOf(PerTargetSection(mine), 1, {"(2, 0)"}).at(8), "–");
}

TEST(TorqueSectionTest, SuccessDiffersInPointsAndEverythingElseInPerCent) {
  const report::Section section = TorqueSection(kBoth);
  EXPECT_THAT(RowOf(section, 1, {"success"}),
              ElementsAre("success", "1.000", "1.000", "0.000", "0.771", "0.792", "−0.021"));
  EXPECT_THAT(
      RowOf(section, 1, {"cost of transport"}),
      ElementsAre("cost of transport", "0.720", "0.800", "−10.0 %", "0.754", "0.805", "−6.3 %"));
  EXPECT_THAT(RowOf(section, 1, {"elapsed task time (s)"}),
              ElementsAre(_, "2.200", "2.000", "+10.0 %", "2.113", "1.905", "+10.9 %"));
  EXPECT_EQ(RowOf(section, 1, {"absolute mechanical work (J)"}).at(4), "129.89");
  EXPECT_EQ(RowOf(section, 1, {"mean absolute power (W)"}).at(4), "60.29");
  EXPECT_EQ(RowOf(section, 1, {"work per path length (J/m)"}).at(5), "118.60");
  EXPECT_THAT(
      report::SectionText(section),
      HasSubstr("Work by seed: −10.0\u202f%, −10.0\u202f% (paper: −8.4\u202f%, −9.4\u202f%, "
                "−6.6\u202f%)."));
}

TEST(PerTargetSectionTest, ATargetStandsBesideThePapersRowOfThatTarget) {
  const report::Section section = PerTargetSection(kBoth);
  EXPECT_EQ(RowOf(section, 1, {"(-0.75, 0)"}).at(8), "−0.9 %") << "1.496 over 1.510";
  EXPECT_THAT(RowOf(section, 1, {"(2, 0)"}),
              ElementsAre("(2, 0)", "1.890", "2.100", "−10.0 %", "1.000", "1.000", "0.000", "0.000",
                          "−9.6 %", "0.240", "0.260"));
  EXPECT_EQ(RowOf(section, 1, {"(1.75, -0.75)"}).at(9), "0.480");
}

TEST(PerTargetSectionTest, TheTargetThatGainsMostComesFirst) {
  study::Evaluation evaluation = kBoth;
  for (study::EvaluatedEpisode& episode : evaluation.episodes) {
    const bool best = evaluation.targets[episode.target] == robot::Point2{1.0, -1.0};
    if (best && evaluation.methods[episode.method] == "vgcc") episode.result.effort /= 2.0;
  }
  const report::Section section = PerTargetSection(evaluation);
  const auto& table = std::get<report::Table>(section.blocks.front());
  EXPECT_EQ(table.rows.front().front().text, "(1, -1)");
}

using testing::ElementsAre;
using testing::HasSubstr;

TEST(AblationSectionTest, ComparesEveryVariantWithDirectControl) {
  const report::Section section = AblationSection(
      MadeUp({"direct", "vgcc-no-floor", "vgcc-absolute-margin"}, {2.0, 1.5, 2.2}, {1, 1, 1}));
  EXPECT_THAT(
      RowOf(section, 1, {"no progress floor"}),
      ElementsAre("no progress floor", "−25.0 %", "0.000", "0.0", "−19.6 %", "−0.037", "19.8"));
  EXPECT_THAT(RowOf(section, 1, {"vgcc-absolute-margin"}),
              ElementsAre("vgcc-absolute-margin", "+10.0 %", "0.000", "0.0", "–", "–", "–"));
}

TEST(AblationSectionTest, AVariantKeepsItsNameOnAnotherRobotAndLosesThePapersNumbers) {
  const report::Section section =
      AblationSection(MadeUp({"direct", "vgcc"}, {2.0, 1.5}, {1, 1}, "mine"));
  EXPECT_THAT(RowOf(section, 1, {"VGCC (full)"}),
              ElementsAre("VGCC (full)", "−25.0 %", "0.000", "0.0", "–", "–", "–"));
}

TEST(ObjectiveSectionTest, ShowsWhatThePaperPrintsOfEachMethod) {
  const report::Section section = ObjectiveSection(
      MadeUp({"direct", "vgcc", "vgcc-cost-per-progress"}, {2.0, 1.8, 1.9}, {1, 1, 1}));
  EXPECT_THAT(RowOf(section, 1, {"vgcc"}), ElementsAre("vgcc", "1.890", "100.0", "1.000", "2.200",
                                                       "1.810", "126.9", "0.854", "2.25"));
  EXPECT_THAT(RowOf(section, 1, {"direct"}),
              ElementsAre("direct", "2.100", "100.0", "1.000", "2.000", "2.132", "–", "–", "–"));
  EXPECT_THAT(report::SectionText(section), HasSubstr("on 2 of 2 seeds (paper: 3 of 3)"));
}

}  // namespace

}  // namespace gonogo::paper
