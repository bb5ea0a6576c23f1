// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/moments.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::stats {
namespace {

constexpr std::array<double, 4> kX = {1.0, 2.0, 3.0, 6.0};
constexpr std::array<double, 4> kY = {0.0, 1.0, 0.0, 3.0};

TEST(MomentsTest, AgreeWithHandWorkedNumbers) {
  EXPECT_DOUBLE_EQ(Mean(kX), 3.0);
  EXPECT_DOUBLE_EQ(Variance(kX, 0), 14.0 / 4.0);
  EXPECT_DOUBLE_EQ(Variance(kX), 14.0 / 3.0);
  EXPECT_DOUBLE_EQ(StandardDeviation(kX), std::sqrt(14.0 / 3.0));
  EXPECT_DOUBLE_EQ(Covariance(kX, kY), 8.0 / 3.0);
}

TEST(MomentsTest, VarianceOfTooFewValuesIsZero) {
  const std::array<double, 1> one = {4.0};
  EXPECT_EQ(Variance(one, 1), 0.0);
  EXPECT_EQ(Variance(one, 0), 0.0);
}

TEST(MomentsTest, VarianceIgnoresAShiftFarFromZero) {
  std::array<double, 4> shifted = kX;
  for (double& x : shifted) x += 1e9;
  EXPECT_NEAR(Variance(shifted), Variance(kX), 1e-6);
}

}  // namespace
}  // namespace gonogo::stats
