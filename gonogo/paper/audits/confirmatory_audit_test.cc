// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/confirmatory_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

AuditedDistribution HandMade() {
  AuditedDistribution audited{"Go2/direct", {}};
  audit::AuditResult& result = audited.result;
  result.source = "mlp";
  result.clusters.assign(20, "c");
  result.table.queries = 960;
  result.confirmatory = true;
  result.decision = audit::Verdict::kNoGo;
  result.h_dep = {.point = 0.0123, .interval = stats::Interval{-0.005, 0.02}};
  result.h_alloc = {.point = 0.004, .interval = stats::Interval{-0.001, 0.009}};
  result.q = {.point = 0.02, .interval = stats::Interval{0.0, 0.03}};
  result.folds.resize(20);
  result.actions = {{.name = "direct", .reference_folds = 3},
                    {.name = "yaw-0.2", .reference_folds = 17},
                    {.name = "scale-0.90"}};
  result.resolution = {.deployment = {audit::ResolutionStatus::kNeeded, 1135},
                       .allocation = {audit::ResolutionStatus::kPointNotOnGoSide, {}},
                       .violation = {audit::ResolutionStatus::kSatisfied, 20}};
  result.sensitivity = {{0.005, 0.05, audit::Verdict::kAbstain},
                        {0.01, 0.05, audit::Verdict::kNoGo}};
  return audited;
}

TEST(ConfirmatoryAuditTest, ShowsThePapersRowAboveOurs) {
  const AuditedDistribution audited = HandMade();
  const std::string text = report::SectionText(ConfirmatoryAuditSection({&audited, 1}));
  EXPECT_THAT(text, HasSubstr("0.60 [-0.18, 1.22]"));
  EXPECT_THAT(text, HasSubstr("1.23 [-0.50, 2.00]"));
  EXPECT_THAT(text, HasSubstr("direct (3 of 20 folds), yaw-0.2 (17 of 20 folds)"));
  EXPECT_THAT(text, HasSubstr("1135"));
  EXPECT_THAT(text, HasSubstr("20 (already satisfied)"));
  EXPECT_THAT(text, HasSubstr("confirmatory"));
}

TEST(ConfirmatoryAuditTest, EveryDistributionStandsUnderThePapersRowOfItsOwn) {
  std::vector<AuditedDistribution> all(3, HandMade());
  all[1].name = "H1/direct";
  all[2].name = "H1/MPC";
  const report::Section section = ConfirmatoryAuditSection(all);
  EXPECT_THAT(
      RowOf(section, 1, {"H1/direct", "paper"}),
      ElementsAre(_, _, "-0.35 [-0.81, 0.71]", "0.12 [-0.19, 0.67]", "1.67 [0.00, 2.68]", "NO-GO"));
  EXPECT_THAT(RowOf(section, 3, {"H1/direct", "paper"}),
              ElementsAre(_, _, "4.62", "30.00", "13.85", "scale-0.90"));
  EXPECT_THAT(RowOf(section, 4, {"Go2/direct", "paper"}),
              ElementsAre(_, _, "point below", "point below", "28"));
  for (const int table : {1, 3, 4}) {
    EXPECT_THAT(RowOf(section, table, {"H1/MPC", "paper"}), IsEmpty()) << "not in the paper";
    EXPECT_THAT(RowOf(section, table, {"H1/MPC", "ours"}), Not(IsEmpty()));
  }
}

TEST(ConfirmatoryAuditTest, SharesAreShownInPerCent) {
  AuditedDistribution audited = HandMade();
  audited.result.point.work_mae = 0.0507;
  audited.result.point.activation = 0.3302;
  audited.result.point.oracle_agreement = 0.1531;
  audited.result.h_avail.point = 0.0598;
  audited.result.point.success_direct = 0.7062;
  const report::Section section = ConfirmatoryAuditSection({&audited, 1});
  EXPECT_THAT(
      RowOf(section, 1, {"Go2/direct", "ours"}),
      ElementsAre(_, _, "1.23 [-0.50, 2.00]", "0.40 [-0.10, 0.90]", "2.00 [0.00, 3.00]", "NO-GO"));
  EXPECT_THAT(RowOf(section, 2, {"Go2/direct", "ours"}),
              ElementsAre(_, _, "0.00", "5.98", "0.00", "70.62", "0.00"));
  EXPECT_THAT(RowOf(section, 3, {"Go2/direct", "ours"}),
              ElementsAre(_, _, "5.07", "33.02", "15.31", _));
}

TEST(ConfirmatoryAuditTest, AVerdictStandsUnderItsOwnThresholds) {
  AuditedDistribution audited = HandMade();
  audited.result.sensitivity = {{0.01, 0.05, audit::Verdict::kNoGo},
                                {0.01, 0.02, audit::Verdict::kAbstain},
                                {0.005, 0.05, audit::Verdict::kGo}};
  const report::Section section = ConfirmatoryAuditSection({&audited, 1});
  EXPECT_THAT(RowOf(section, 5, {"Go2/direct", "1.00 %"}), ElementsAre(_, _, "ABSTAIN", "NO-GO"));
  EXPECT_THAT(RowOf(section, 5, {"Go2/direct", "0.50 %"}), ElementsAre(_, _, "", "GO"));
}

TEST(ConfirmatoryAuditTest, ADescriptiveResultHasNoDecision) {
  AuditedDistribution audited = HandMade();
  audited.result.confirmatory = false;
  audited.result.decision.reset();
  audited.result.reading = audit::Decision{.verdict = audit::Verdict::kNoGo};
  const std::string text = report::SectionText(ConfirmatoryAuditSection({&audited, 1}));
  EXPECT_THAT(text, HasSubstr("none (descriptive; reads NO-GO)"));
}

TEST(ConfirmatoryAuditTest, NamesDistributionsAsThePaperDoes) {
  EXPECT_EQ(DistributionName("go2", "vgcc"), "Go2/VGCC");
  EXPECT_EQ(DistributionName("go2", "direct"), "Go2/direct");
  EXPECT_EQ(DistributionName("h1", "mpc"), "H1/MPC");
}

}  // namespace
}  // namespace gonogo::paper
