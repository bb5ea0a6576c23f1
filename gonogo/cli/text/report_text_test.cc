// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::cli {
namespace {

audit::AuditResult AuditWith(audit::LearnerTarget target) {
  const audit::OutcomeTable table = audit::MakePositiveControl({}, RngStream(1));
  audit::Protocol protocol;
  protocol.learner.kind = audit::LearnerKind::kRidge;
  protocol.learner.target = target;
  protocol.bootstrap.refits = 5;
  return audit::RunAudit(table, protocol, {}, {}).value();
}

TEST(ReportTextTest, NamesLearnerAndTargetOfEveryReading) {
  audit::AuditReport report;
  report.result = AuditWith(audit::LearnerTarget::kRatio);
  report.learners = {report.result, AuditWith(audit::LearnerTarget::kDifference)};
  const std::string text = ReportText(report, Terminal(ColorMode::kNever, true));
  EXPECT_THAT(text, testing::HasSubstr("only the declared one, in the first row"));
  EXPECT_THAT(text, testing::ContainsRegex("ridge +ratio"));
  EXPECT_THAT(text, testing::ContainsRegex("ridge +difference"));
}

TEST(ReportTextTest, CountsTheAnswersUnderEverySeed) {
  audit::AuditReport report;
  report.result = AuditWith(audit::LearnerTarget::kRatio);
  report.seeds = {{1, "GO", "ABSTAIN"},
                  {2, "ABSTAIN", "ABSTAIN"},
                  {3, "GO", "ABSTAIN"},
                  {4, "ABSTAIN", "ABSTAIN"}};
  EXPECT_THAT(ReportText(report, Terminal(ColorMode::kNever, true)),
              testing::EndsWith("Over 4 bootstrap seeds\n"
                                "  paper       unstable: ABSTAIN 2, GO 2\n"
                                "  calibrated  stable: ABSTAIN 4\n"));
}

}  // namespace
}  // namespace gonogo::cli
