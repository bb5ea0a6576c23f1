// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/seed_readings.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

audit::AuditResult Answers(audit::Verdict paper, audit::Verdict calibrated) {
  audit::AuditResult result;
  result.paper_reading = audit::Decision{.verdict = paper};
  result.calibrated = audit::CalibratedAudit{audit::Decision{.verdict = calibrated}};
  return result;
}

TEST(SeedReadingsTest, CountsAnswersThatDifferFromTheDeclaredSeed) {
  using audit::Verdict;
  SeedReadings readings;
  readings.Add(1, Answers(Verdict::kGo, Verdict::kAbstain));
  readings.Add(2, Answers(Verdict::kAbstain, Verdict::kAbstain));
  readings.Add(3, Answers(Verdict::kGo, Verdict::kAbstain));
  readings.Add(4, Answers(Verdict::kAbstain, Verdict::kAbstain));
  EXPECT_EQ(readings.FlipRate("paper"), 0.5);
  EXPECT_EQ(readings.FlipRate("calibrated"), 0.0);
  EXPECT_EQ(readings.Json()["readings"][1]["paper"], "ABSTAIN");
}

TEST(SeedReadingsTest, WithTooFewClustersThereIsNoAnswerToFlip) {
  SeedReadings readings;
  readings.Add(1, audit::AuditResult{});
  EXPECT_TRUE(readings.Json()["readings"][0]["paper"].is_null());
  EXPECT_EQ(readings.FlipRate("paper"), 0.0);
}

}  // namespace
}  // namespace gonogo::cli
