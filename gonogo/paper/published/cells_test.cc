// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/cells.h"

#include <limits>

#include <gtest/gtest.h>

namespace gonogo::paper {
namespace {

TEST(CellsTest, ANumberThatRoundsToZeroHasNoSign) {
  EXPECT_EQ(Fixed(-0.0004), "0.000");
  EXPECT_EQ(Signed(-0.0004), "0.000");
  EXPECT_EQ(Signed(0.0004), "0.000");
  EXPECT_EQ(SignedPercent(0.0004), "0.0\u202f%");
  EXPECT_EQ(Percent(-0.0), "0.00");
}

TEST(CellsTest, SignsAreTrueMinusSigns) {
  EXPECT_EQ(Fixed(-1.5, 1), "−1.5");
  EXPECT_EQ(Signed(-0.0123), "−0.012");
  EXPECT_EQ(Signed(0.05, 2), "+0.05");
}

TEST(CellsTest, SharesBecomePerCentOnce) {
  EXPECT_EQ(SignedPercent(-0.105), "−10.5\u202f%");
  EXPECT_EQ(Percent(0.0123), "1.23");
  EXPECT_EQ(
      WithInterval(audit::Estimate{.point = 0.006, .interval = stats::Interval{-0.0018, 0.0122}}),
      "0.60 [-0.18, 1.22]");
  EXPECT_EQ(WithInterval(audit::Estimate{.point = 0.006}), "0.60");
}

TEST(CellsTest, WhatIsNotANumberIsADash) {
  EXPECT_EQ(Fixed(std::nullopt), "–");
  EXPECT_EQ(Signed(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(SignedPercent(std::numeric_limits<double>::infinity()), "–");
  EXPECT_EQ(TextOrNone(std::nullopt), "–");
  EXPECT_EQ(TextOrBlank(std::nullopt), "");
  EXPECT_EQ(TextOrNone("0.800"), "0.800");
}

}  // namespace
}  // namespace gonogo::paper
