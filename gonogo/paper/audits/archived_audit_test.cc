// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/archived_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/testing/made_up_sections.h"

namespace gonogo::paper {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;

audit::AuditResult WithGain(double h_alloc) {
  audit::AuditResult result;
  result.clusters = {"1201", "1202"};
  result.folds.resize(10);
  result.h_alloc = {.point = h_alloc, .interval = stats::Interval{h_alloc - 0.002, h_alloc + 0.01}};
  result.q = {.point = 0.0188, .interval = stats::Interval{0.0021, 0.0417}};
  result.point.h_avail = 0.0349;
  result.point.h_total = 0.0037;
  result.point.mixture_total = -0.0036;
  result.point.q = 0.0188;
  result.point.q_mix = 0.0343;
  result.point.activation = 0.1458;
  result.point.work_mae = 0.079;
  result.point.folds_beating_mixture = 9;
  result.point.success_direct = 0.769;
  return result;
}

ArchivedStudy Study() { return {.result = WithGain(0.0071)}; }

TEST(ArchivedAuditTest, AGainIsANegativeChangeOfWorkAsInThePaper) {
  const report::Section section = ArchivedAuditSections(Study()).at(0);
  EXPECT_THAT(RowOf(section, 1, {"same-state oracle"}),
              ElementsAre(_, "-5.21", "-3.49", "0 by construction", "0 by construction"));
  EXPECT_THAT(RowOf(section, 1, {"leave-one-out selector"}),
              ElementsAre(_, "-0.68", "-0.37", "2.08", "1.88"));
  EXPECT_THAT(RowOf(section, 1, {"matched mixture"}),
              ElementsAre(_, "-0.13", "0.36", "3.93", "3.43"));
  EXPECT_THAT(RowOf(section, 1, {"selector against mixture"}),
              ElementsAre(_, "-0.55", "-0.71", "", ""));
}

TEST(ArchivedAuditTest, TheSelectorsNumbersStandBesideThePapers) {
  const report::Section section = ArchivedAuditSections(Study()).at(0);
  EXPECT_THAT(RowOf(section, 2, {"H_alloc"}),
              ElementsAre(_, "0.55 [0.14, 1.03]", "0.71 [0.51, 1.71]"));
  EXPECT_THAT(RowOf(section, 2, {"active (%)"}), ElementsAre(_, "13.3", "14.58"));
  EXPECT_THAT(RowOf(section, 2, {"relative-work MAE (%)"}), ElementsAre(_, "11.6", "7.90"));
  EXPECT_THAT(RowOf(section, 2, {"folds in which it beats the mixture"}),
              ElementsAre(_, "7 of 10", "9 of 10"));
  EXPECT_THAT(RowOf(section, 2, {"success: direct"}), ElementsAre(_, "0.681", "0.769"))
      << "a share, not a percentage";
}

TEST(ArchivedAuditTest, AFeatureSetStandsUnderThePapersRowOfItsName) {
  ArchivedStudy study = Study();
  study.feature_sets = {{{"observation + F_eta", {}}, WithGain(0.0071)},
                        {{"observation only", {}}, WithGain(0.0098)},
                        {{"everything", {}}, WithGain(0.001)}};
  const report::Section section = ArchivedAuditSections(study).at(1);
  EXPECT_THAT(RowOf(section, 1, {"observation only", "paper"}),
              ElementsAre(_, _, "12.60", "8.8", "-0.43", "-0.38", "0.42"));
  EXPECT_THAT(RowOf(section, 1, {"observation only", "ours"}),
              ElementsAre(_, _, "7.90", "14.58", "-0.37", "-0.98", "1.88"));
  EXPECT_EQ(RowOf(section, 1, {"observation + F_eta", "paper"}).at(2), "12.22");
  EXPECT_THAT(RowOf(section, 1, {"everything", "paper"}), IsEmpty());
}

TEST(ArchivedAuditTest, ABonusStandsBesideThePapersRowOfThatBonus) {
  ArchivedStudy study = Study();
  study.observable = {{0.09, WithGain(0.0224)}, {0.03, WithGain(0.01)}};
  const report::Section section = ArchivedAuditSections(study).at(2);
  EXPECT_EQ(RowOf(section, 1, {"none: real outcomes"}).at(1), "0.55 [0.14, 1.03]");
  EXPECT_THAT(RowOf(section, 1, {"9.00"}), ElementsAre(_, "2.32 [1.67, 2.98]", "2.24 [2.04, 3.24]",
                                                       "5.42 [3.75, 7.08]", "1.88 [0.21, 4.17]"));
  EXPECT_EQ(RowOf(section, 1, {"3.00"}).at(1), "") << "the paper planted no such bonus";
}

TEST(ArchivedAuditTest, HiddenMappingsAreCountedAboveEveryThreshold) {
  ArchivedStudy study = Study();
  // Lower bounds 0.1, 0.3, 0.6 and 1.1 per cent.
  for (const double gain : {0.003, 0.005, 0.008, 0.013})
    study.hidden.push_back({0.05, WithGain(gain)});
  const report::Section section = ArchivedAuditSections(study).at(2);
  EXPECT_THAT(RowOf(section, 2, {"0.25"}), ElementsAre("0.25", "3 of 10", "3 of 4"));
  EXPECT_THAT(RowOf(section, 2, {"0.50"}), ElementsAre("0.50", "2 of 10", "2 of 4"));
  EXPECT_THAT(RowOf(section, 2, {"1.00"}), ElementsAre("1.00", "0 of 10", "1 of 4"));
}

TEST(ArchivedAuditTest, ThePictureShowsThePapersPointsInPerCent) {
  ArchivedStudy study = Study();
  study.observable = {{0.05, WithGain(0.0145)}};
  const report::Section section = ArchivedAuditSections(study).at(2);
  const auto& cards = std::get<report::Cards>(section.blocks.back());
  const nlohmann::json& points = cards.cards.front().chart->spec["data"]["values"];
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(
      points[1],
      (nlohmann::json{
          {"gamma", 5.0}, {"of", "paper"}, {"point", 1.26}, {"lower", 0.75}, {"upper", 1.78}}));
  EXPECT_DOUBLE_EQ(points[3]["point"].get<double>(), 1.45);
}

}  // namespace
}  // namespace gonogo::paper
