// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/signs.h"

#include <vector>

#include <gtest/gtest.h>

namespace gonogo::stats {
namespace {

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
