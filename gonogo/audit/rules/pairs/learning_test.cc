// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/audit/protocol/deciding_rule.h"
#include "gonogo/audit/rules/pairs/rule.h"

namespace gonogo::audit {
namespace {

// A refit on 20 resampled clusters sees 12.830 different ones on average, so that
// (1/18 - 1/20) / (1/12.830 - 1/18) = 0.2482.
TEST(LearningCreditTest, FollowsTheCurveFromRefitsToTheShippedAdapter) {
  EXPECT_NEAR(LearningCredit(0.020, 0.016, 20, 1.0), 0.2482 * 0.004, 1e-6);
}

// On a curve that lacks a / n the credit is exactly what is missing.
TEST(LearningCreditTest, IsExactOnTheCurveItAssumes) {
  const auto gain = [](double clusters) { return 0.05 - 0.3 / clusters; };
  const double seen = 40.0 * (1.0 - 0.36323);  // (39/40)^40 = 0.36323
  EXPECT_NEAR(LearningCredit(gain(38.0), gain(seen), 40, 1.0), gain(40.0) - gain(38.0), 1e-7);
}

TEST(LearningCreditTest, TakesNothingOffAndStopsAtAQuarterOfTheStandardError) {
  EXPECT_EQ(LearningCredit(0.010, 0.016, 20, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(LearningCredit(0.5, 0.1, 20, 0.004), 0.001);
  EXPECT_EQ(LearningCredit(0.0, -0.01, 20, 0.0), 0.0);
}

TEST(LearningCreditTest, NeedsMoreClustersThanARefitSees) {
  EXPECT_EQ(LearningCredit(0.02, 0.01, kFewestForPairs - 1, 1.0), 0.0);
  EXPECT_GT(LearningCredit(0.02, 0.01, kFewestForPairs, 1.0), 0.0);
}

}  // namespace
}  // namespace gonogo::audit
