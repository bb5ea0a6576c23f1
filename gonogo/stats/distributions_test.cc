// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/distributions.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::stats {
namespace {

TEST(DistributionsTest, NormalQuantileInvertsTheErrorFunction) {
  for (const double p : {0.001, 0.025, 0.5, 0.9, 0.975}) {
    const double x = NormalQuantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2), p, 1e-14);
  }
}

TEST(DistributionsTest, StudentTWithOneDegreeOfFreedomIsCauchy) {
  for (const double p : {0.05, 0.3, 0.975}) {
    EXPECT_NEAR(StudentTQuantile(p, 1.0), std::tan(std::numbers::pi * (p - 0.5)), 1e-10);
  }
}

TEST(DistributionsTest, StudentTApproachesTheNormal) {
  EXPECT_NEAR(StudentTQuantile(0.975, 1e7), NormalQuantile(0.975), 1e-6);
  EXPECT_NEAR(StudentTQuantile(0.975, 19.0), 2.0930240544, 1e-9);  // printed tables: 2.093
}

TEST(DistributionsTest, BetaWithOneShapeOneHasAClosedForm) {
  // Pr[X <= x] = 1 - (1 - x)^n for Beta(1, n): the zero-event bound 1 - alpha^(1/n).
  EXPECT_NEAR(BetaQuantile(0.975, 1.0, 20.0), 1.0 - std::pow(0.025, 1.0 / 20.0), 1e-13);
  EXPECT_NEAR(BetaQuantile(0.2, 3.0, 1.0), std::cbrt(0.2), 1e-13);
}

TEST(SignTestTest, AgreesWithThePaperOnSeventeenSeedsInOneDirection) {
  EXPECT_NEAR(SignTest(std::vector<double>(17, -0.1)), 1.53e-5, 0.005e-5);  // 2 / 2^17
}

TEST(SignTestTest, MatchesHandWorkedTails) {
  const std::vector<double> one_against_four{-1, -2, 3, -1, -5, 0};
  EXPECT_DOUBLE_EQ(SignTest(one_against_four), 2.0 * (1 + 5) / 32.0);
}

TEST(SignTestTest, BalancedOrAbsentDifferencesSayNothing) {
  EXPECT_DOUBLE_EQ(SignTest(std::vector<double>{1, -1, 2, -2}), 1.0);
  EXPECT_DOUBLE_EQ(SignTest(std::vector<double>{0.0}), 1.0);
  EXPECT_DOUBLE_EQ(SignTest({}), 1.0);
}

}  // namespace

}  // namespace gonogo::stats
