// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/response_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

study::IdentifyResult Example(const std::string& robot) {
  study::IdentifyResult result{.robot = robot, .terrain = "grid", .window_s = 0.32};
  study::ResponseRow all{.name = "effort", .scores = {}, .training_windows = 20000};
  const std::array r2{0.97, 0.93, 0.78, 0.87, 0.88, 0.91};
  for (std::size_t i = 0; i < r2.size(); ++i) all.scores.at(i) = {0.01, 0.02, r2.at(i)};
  study::ResponseRow half = all;
  half.name = "50 % of the data";
  half.training_windows = 10000;
  result.rows = {all, half};
  result.predicted = result.measured = nn::Batch<float>::Random(2000, 6);
  result.macro = study::MacroSummary{.open_loop = {{1, 0.01, 1.5, 0.002, 0.3}}};
  result.value = study::ValueSummary{.work = {14.0, 20.0, 0.8}, .success_auc = 0.77};
  return result;
}

TEST(ResponseModelSection, PutsThePapersTableBesideOurs) {
  const std::string text = report::SectionText(ResponseModelSection(Example("go2")));
  EXPECT_THAT(text, HasSubstr("Δψ (rad)"));
  EXPECT_THAT(text, HasSubstr("0.010  0.020  0.780      0.029       0.042     0.927"));
  EXPECT_THAT(text, HasSubstr("displacement     0.92  0.930  met"));
  EXPECT_THAT(text, HasSubstr("yaw              0.92  0.780  missed"));
  EXPECT_THAT(text, HasSubstr("50 % of the data    10000"));
}

TEST(ResponseModelSection, ABarIsMetFromItsValueOn) {
  study::IdentifyResult result = Example("go2");
  result.rows.front().scores.at(2).r2 = 0.92;
  result.rows.front().scores.at(3).r2 = 0.7499;
  const report::Section section = ResponseModelSection(result);
  EXPECT_THAT(RowOf(section, 2, {"yaw"}), ElementsAre("yaw", "0.92", "0.920", "met"));
  EXPECT_THAT(RowOf(section, 2, {"cost"}), ElementsAre("cost", "0.75", "0.750", "missed"))
      << "the number decides, not what it rounds to";
  EXPECT_THAT(RowOf(section, 2, {"relative height"}), ElementsAre(_, "0.85", "0.880", "met"))
      << "the worse of the two heights";
}

TEST(ResponseModelSection, EveryWayOfTrainingStandsBesideWhatThePaperPrintsOfIt) {
  study::IdentifyResult result = Example("go2");
  for (const char* name :
       {"power", "world-frame heights", "25 % of the data", "utility-filtered"}) {
    result.rows.push_back(result.rows.front());
    result.rows.back().name = name;
  }
  const report::Section section = ResponseModelSection(result);
  EXPECT_THAT(RowOf(section, 1, {"power (W), five members"}),
              ElementsAre(_, "0.010", "0.020", "0.870", "13.000", "", "0.797"));
  EXPECT_THAT(RowOf(section, 1, {"min. height, world-frame labels"}),
              ElementsAre(_, "0.010", "0.020", "0.880", "0.039", "0.092", "0.247"));
  const auto theirs = [&](const char* name) {
    const std::vector<std::string> row = RowOf(section, 3, {name});
    return std::vector<std::string>(row.end() - 2, row.end());
  };
  EXPECT_THAT(theirs("all data"), ElementsAre("0.94", "0.75"));
  EXPECT_THAT(theirs("power"), ElementsAre("", "0.80"));
  EXPECT_THAT(theirs("world-frame heights"), ElementsAre("", ""));
  EXPECT_THAT(theirs("50 % of the data"), ElementsAre("0.93", "0.72"));
  EXPECT_THAT(theirs("25 % of the data"), ElementsAre("0.92", "0.62"));
  EXPECT_THAT(theirs("utility-filtered"), ElementsAre("-1.9 (Δy)", ""));
}

TEST(ResponseModelSection, PrintsNothingOfThePaperForARobotItDidNotIdentify) {
  const std::string text = report::SectionText(ResponseModelSection(Example("mine")));
  EXPECT_THAT(text, Not(HasSubstr("0.927")));
  EXPECT_THAT(text, Not(HasSubstr("missed")));
  EXPECT_THAT(report::SectionText(PlannerModelSection(Example("mine"))), Not(HasSubstr("0.756")));
}

TEST(ResponseModelSection, DrawsEveryOutputWithAPointPerSampledWindow) {
  const report::Section section = ResponseModelSection(Example("go2"));
  const report::Cards* cards = nullptr;
  for (const report::Block& block : section.blocks) {
    if (std::holds_alternative<report::Cards>(block)) cards = &std::get<report::Cards>(block);
  }
  ASSERT_NE(cards, nullptr);
  ASSERT_EQ(cards->cards.size(), 6U);
  for (const report::Card& card : cards->cards) {
    EXPECT_EQ(card.chart->spec["layer"][1]["data"]["values"].size(), 500U) << card.title;
  }
}

TEST(PlannerModelSection, PutsOpenLoopAndValueErrorsBesideThePapers) {
  const std::string text = report::SectionText(PlannerModelSection(Example("go2")));
  EXPECT_THAT(text,
              HasSubstr("1 macro step                       1.00      1.50               2.0"));
  EXPECT_THAT(text, HasSubstr("paper, 4 macro steps"));
  EXPECT_THAT(text, HasSubstr("success                        0.770                       0.819"));
}

TEST(PlannerModelSection, MetresBecomeThePapersCentimetresAndMillimetres) {
  const report::Section section = PlannerModelSection(Example("go2"));
  EXPECT_THAT(RowOf(section, 1, {"1 macro step"}),
              ElementsAre("1 macro step", "1.00", "1.50", "2.0", "0.300"));
  EXPECT_THAT(RowOf(section, 1, {"paper, 4 macro steps"}),
              ElementsAre("paper, 4 macro steps", "3.30", "5.17", "8.8", "0.756"));
  EXPECT_THAT(RowOf(section, 2, {"remaining work (J)"}),
              ElementsAre(_, "14.0", "0.800", "15.7", "0.846"));
}

}  // namespace
}  // namespace gonogo::paper
