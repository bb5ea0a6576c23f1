// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/evaluation_studies.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/studies/ablation.h"
#include "gonogo/paper/studies/compensation.h"
#include "gonogo/paper/studies/coverage.h"
#include "gonogo/paper/studies/frontier.h"
#include "gonogo/paper/studies/retrieval.h"
#include "gonogo/paper/testing/made_up_evaluation.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::ElementsAre;

/// With plain spaces before per cent signs, as one types them.
std::string Plain(const std::string& text) {
  return std::regex_replace(text, std::regex("\u202f"), " ");
}

/// The texts of the row that begins with `name`, in the section's table number `index`.
std::vector<std::string> Row(const report::Section& section, std::size_t index,
                             const std::string& name) {
  for (const report::Block& block : section.blocks) {
    const auto* table = std::get_if<report::Table>(&block);
    if (table == nullptr || index-- > 0) continue;
    for (const auto& row : table->rows) {
      EXPECT_EQ(row.size(), table->columns.size());
      if (row.front().text != name) continue;
      std::vector<std::string> texts;
      for (const report::Cell& cell : row) texts.push_back(Plain(cell.text));
      return texts;
    }
  }
  return {};
}

/// Episodes per method of every block of a study on a robot with the paper's families.
std::vector<std::size_t> Episodes(const std::string& name, std::size_t robots) {
  std::vector<std::size_t> counts;
  for (const auto& block : FindEvaluationStudy(name).value().blocks(robots)) {
    const std::size_t targets = block.plan.family == "harder" ? 8 : 4;
    counts.push_back(block.plan.seeds.size() * targets *
                     static_cast<std::size_t>(block.plan.trials));
  }
  return counts;
}

TEST(EvaluationStudiesTest, HaveThePapersSampleSizes) {
  EXPECT_THAT(Episodes("frontier", 1), ElementsAre(96));
  EXPECT_THAT(Episodes("harder", 1), ElementsAre(400));
  EXPECT_THAT(Episodes("per-target", 1), ElementsAre(400));
  EXPECT_THAT(Episodes("torque", 1), ElementsAre(48));
  EXPECT_THAT(Episodes("objective", 1), ElementsAre(48));
  EXPECT_THAT(Episodes("ablation", 1), ElementsAre(80));
  EXPECT_THAT(Episodes("coverage", 3), ElementsAre(400, 120, 60, 120, 120));
  EXPECT_THAT(FindEvaluationStudy("fronteer").error().message,
              testing::HasSubstr("did you mean 'frontier'"));
}

TEST(FrontierSectionTest, PutsThePapersRowBesideOursAndComparesAtEqualTime) {
  // By time: direct (2.0 s), vgcc (2.2), scale-0.75 (2.4). At 2.2 s the scales are at 0.7.
  const report::Section section =
      FrontierSection(MadeUp({"direct", "vgcc", "scale-0.75"}, {2.0, 1.8, 1.6}, {0.8, 0.77, 0.6}));
  EXPECT_THAT(Row(section, 0, "vgcc"),
              ElementsAre("vgcc", "1.000", "77.00", "0.00", "2.200", "0.770", "0.802", "128.20",
                          "56.99", "2.207", "0.737"));
  const std::vector<std::string> equal_time = Row(section, 1, "vgcc");
  EXPECT_EQ(equal_time[3], "0.700");
  EXPECT_EQ(equal_time[4], "+10.0 %");
  EXPECT_EQ(equal_time[6], "+2.5 %") << "0.737 over 0.724 - 0.039 * 0.062 / 0.503";
}

TEST(FrontierSectionTest, AnotherRobotHasNoPublishedRow) {
  const report::Section section =
      FrontierSection(MadeUp({"direct", "scale-0.75"}, {2.0, 1.6}, {0.8, 0.6}, "mine"));
  EXPECT_EQ(Row(section, 0, "direct").back(), "–");
}

TEST(ScaleOracleSectionTest, NamesTheBestSingleScale) {
  const report::Section section =
      ScaleOracleSection(MadeUp({"direct", "scale-0.75"}, {2.0, 1.6}, {0.8, 0.6}));
  EXPECT_THAT(Row(section, 0, "best single scale"),
              ElementsAre("best single scale", "scale-0.75", "scale-0.75"));
  EXPECT_THAT(Row(section, 0, "scale-0.75: optimal in"), ElementsAre(testing::_, "100 %", "78 %"));
  EXPECT_THAT(Row(section, 0, "oracle below the best single scale").back(),
              testing::HasSubstr("1.0 % [0.50 %, 1.70 %]"));
}

TEST(CompensationTest, DifferencesAreAgainstDirectControl) {
  const study::Evaluation both = MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72});
  EXPECT_EQ(Row(HarderSection(both), 0, "difference")[2], "−10.0 %");
  EXPECT_EQ(Row(HarderSection(both), 0, "difference")[7], "−10.5 %");
  EXPECT_THAT(
      Row(TorqueSection(both), 0, "cost of transport"),
      ElementsAre("cost of transport", "0.720", "0.800", "−10.0 %", "0.754", "0.805", "−6.3 %"));
  EXPECT_THAT(Row(PerTargetSection(both), 0, "(-0.75, 0)")[8], "−0.9 %");
  EXPECT_THAT(Row(PerTargetSection(both), 0, "(2, 0)")[9], "0.240");
}

TEST(CompensationTest, CoveragePoolsTheSeedsOfAllFamilies) {
  study::Evaluation moderate = MadeUp({"direct", "vgcc"}, {2.0, 1.9}, {0.8, 0.72});
  moderate.plan.family = "moderate";
  const std::vector both{MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72}), moderate};
  const report::Section section = CoverageSection(both);
  EXPECT_THAT(Row(section, 0, "go2 moderate (12)")[4], "−5.0 %");
  EXPECT_THAT(Row(section, 0, "go2 moderate (12)")[8], "−5.4 %");
  EXPECT_THAT(report::SectionText(section),
              testing::HasSubstr("lower than direct control's on 4 of 4"));
  EXPECT_THAT(report::SectionText(section), testing::HasSubstr("p = 0.125"));
}

TEST(AblationTest, ComparesEveryVariantWithDirectControl) {
  const report::Section section = AblationSection(
      MadeUp({"direct", "vgcc-no-floor", "vgcc-absolute-margin"}, {2.0, 1.5, 2.2}, {1, 1, 1}));
  EXPECT_THAT(
      Row(section, 0, "no progress floor"),
      ElementsAre("no progress floor", "−25.0 %", "0.000", "0.0", "−19.6 %", "−0.037", "19.8"));
  EXPECT_EQ(Row(section, 0, "vgcc-absolute-margin")[4], "–");
}

TEST(AblationTest, ObjectiveAndRetrievalShowWhatThePaperSays) {
  const report::Section objective = ObjectiveSection(
      MadeUp({"direct", "vgcc", "vgcc-cost-per-progress"}, {2.0, 1.8, 1.9}, {1, 1, 1}));
  EXPECT_EQ(Row(objective, 0, "vgcc")[5], "1.810");
  EXPECT_THAT(report::SectionText(objective), testing::HasSubstr("on 2 of 2 seeds"));
  study::Evaluation holdout = MadeUp({"direct", "vgcc", "vgsr"}, {2.0, 1.8, 2.1}, {1, 1, 1});
  holdout.plan.family = "holdout";
  const std::vector evaluations{MadeUp({"direct", "vgcc", "vgsr"}, {2.0, 1.8, 1.9}, {1, 1, 1}),
                                holdout};
  const report::Section retrieval = RetrievalSection(evaluations);
  EXPECT_EQ(Row(retrieval, 0, "vgsr")[2], "−5.0 %");
  EXPECT_EQ(Row(retrieval, 1, "vgsr")[4], "2.061");
  EXPECT_THAT(Row(retrieval, 2, "go2 holdout (12)"),
              ElementsAre("go2 holdout (12)", "+5.0 %", "−10.0 %", "+3.8 %", "−8.0 %"));
}

}  // namespace
}  // namespace gonogo::paper
