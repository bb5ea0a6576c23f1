// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/testing/made_up_evaluation.h"
#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

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
