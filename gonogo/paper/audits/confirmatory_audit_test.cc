// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/confirmatory_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::HasSubstr;

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
