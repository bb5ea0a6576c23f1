// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/learner_readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
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

TEST(LearnerReadingsTest, NamesLearnerAndTargetOfEveryReading) {
  LearnerReadings readings;
  readings.Add(AuditWith(audit::LearnerTarget::kRatio));
  readings.Add(AuditWith(audit::LearnerTarget::kDifference));
  const nlohmann::json json = readings.Json();
  EXPECT_EQ(json[0]["learner"], "ridge");
  EXPECT_EQ(json[0]["target"], "ratio");
  EXPECT_EQ(json[1]["learner"], "ridge, difference");
  EXPECT_EQ(json[1]["status"], "descriptive");
}

}  // namespace
}  // namespace gonogo::cli
