// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gonogo::paper
