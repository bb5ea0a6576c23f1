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

study::Evaluation Family(const char* robot, const char* family, double effort) {
  study::Evaluation evaluation = MadeUp({"direct", "vgcc"}, {2.0, effort}, {0.8, 0.72}, robot);
  evaluation.plan.family = family;
  return evaluation;
}

TEST(CoverageSectionTest, ARowStandsBesideThePapersRowOfThatRobotFamilyAndMethod) {
  const std::vector all{Family("go2", "harder", 1.8), Family("go2", "moderate", 1.9),
                        Family("h1", "harder", 1.8), Family("h1", "moderate", 1.8)};
  const report::Section section = CoverageSection(all);
  EXPECT_THAT(RowOf(section, 1, {"go2 moderate (16)", "vgcc"}),
              ElementsAre(_, _, _, _, "−5.0 %", "0.000", "0.975", "1.743", "−5.4 %", "0.356"));
  EXPECT_THAT(RowOf(section, 1, {"go2 moderate (16)", "direct"}),
              ElementsAre(_, _, _, _, "", "0.000", "0.992", "1.844", "", "0.362"));
  EXPECT_THAT(RowOf(section, 1, {"h1 harder (16)", "vgcc"}),
              ElementsAre(_, _, _, _, "−10.0 %", "0.000", "0.967", "0.690", "−4.7 %", "0.928"));
  EXPECT_THAT(RowOf(section, 1, {"h1 moderate (16)", "vgcc"}),
              ElementsAre(_, _, _, _, "−10.0 %", "0.000", "–", "–", "", "–"))
      << "the paper ran no such family";
}

TEST(CoverageSectionTest, TheHarderGo2RowIsSection43s) {
  const std::vector one{Family("go2", "harder", 1.8)};
  EXPECT_THAT(RowOf(CoverageSection(one), 1, {"go2 harder (16)", "vgcc"}),
              ElementsAre(_, _, _, _, "−10.0 %", "0.000", "0.797", "1.976", "−10.5 %", "–"));
}

TEST(CoverageSectionTest, PoolsTheSeedsOfAllFamilies) {
  const std::vector both{Family("go2", "harder", 1.8), Family("go2", "moderate", 1.9)};
  const std::string text = report::SectionText(CoverageSection(both));
  EXPECT_THAT(text, HasSubstr("lower than direct control's on 4 of 4"));
  EXPECT_THAT(text, HasSubstr("p = 0.125"));
  const std::vector worse{Family("go2", "harder", 1.8), Family("go2", "moderate", 2.1)};
  EXPECT_THAT(report::SectionText(CoverageSection(worse)), HasSubstr("on 2 of 4"));
}

using testing::ElementsAre;

study::Evaluation With(const std::vector<std::string>& methods, const char* robot = "go2",
                       const char* family = "harder") {
  const std::vector<double> effort{2.0, 1.8, 1.9, 3.0};
  study::Evaluation evaluation = MadeUp(methods, effort, {1, 1, 1, 1}, robot);
  evaluation.plan.family = family;
  return evaluation;
}

TEST(RetrievalSectionTest, QuotesThePaperWhereItPrintsNoNumber) {
  const std::vector harder{With({"direct", "vgcc", "vgsr", "vgsr-no-gate"})};
  const report::Section section = RetrievalSection(harder);
  const auto theirs = [&](const char* method) {
    const std::vector<std::string> row = RowOf(section, 1, {method});
    return std::vector<std::string>(row.end() - 2, row.end());
  };
  EXPECT_THAT(theirs("direct"), ElementsAre("", "0.800"));
  EXPECT_THAT(theirs("vgcc"), ElementsAre("–", "–"));
  EXPECT_THAT(theirs("vgsr"), ElementsAre("−7.8 %", "0.785"));
  EXPECT_THAT(theirs("vgsr-no-gate"), ElementsAre("more than +50 %", "–"));
  EXPECT_EQ(RowOf(section, 1, {"vgsr"}).at(2), "−5.0 %");
}

TEST(RetrievalSectionTest, TheOriginalProtocolHasFiveTargetsAndFallsAreShares) {
  study::Evaluation evaluation = With({"direct", "vgcc", "vgsr"});
  for (study::EvaluatedEpisode& episode : evaluation.episodes) {
    if (episode.target >= 5) episode.result.effort = 100.0;
  }
  const std::vector harder{evaluation};
  EXPECT_THAT(RowOf(RetrievalSection(harder), 2, {"vgsr"}),
              ElementsAre("vgsr", "1.995", "0.000", "0.000", "2.061", "0.012"));
  EXPECT_EQ(RowOf(RetrievalSection(harder), 2, {"vgcc"}).back(), "–");
}

TEST(RetrievalSectionTest, TransferIsComparedWhereThePaperPrintsIt) {
  const std::vector<std::string> methods{"direct", "vgcc", "vgsr"};
  const std::vector all{With(methods), With(methods, "go2", "holdout"), With(methods, "h1"),
                        With(methods, "anymal_d")};
  const report::Section section = RetrievalSection(all);
  EXPECT_THAT(RowOf(section, 3, {"go2 holdout (16)"}),
              ElementsAre("go2 holdout (16)", "−5.0 %", "−10.0 %", "+3.8 %", "−8.0 %"));
  EXPECT_THAT(RowOf(section, 3, {"h1 harder (16)"}),
              ElementsAre("h1 harder (16)", "−5.0 %", "−10.0 %", "+4.4 %", "−4.7 %"));
  EXPECT_THAT(RowOf(section, 3, {"anymal_d harder (16)"}),
              ElementsAre("anymal_d harder (16)", "−5.0 %", "−10.0 %", "–", "–"));
}

}  // namespace

}  // namespace gonogo::paper
