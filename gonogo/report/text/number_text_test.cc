// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/number_text.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(NumberTextTest, ShowsFractionsAsPercentWithATrueMinusSign) {
  EXPECT_EQ(Percent(0.0134), "1.34\u202f%");
  EXPECT_EQ(Percent(-0.003), "−0.30\u202f%");
  EXPECT_EQ(Percent(0.712, 1), "71.2\u202f%");
}

TEST(NumberTextTest, ShowsNoSignOnAValueThatRoundsToZero) {
  EXPECT_EQ(Percent(-1e-9), "0.00\u202f%");
}

TEST(NumberTextTest, ShowsADashWhereThereIsNoNumber) {
  EXPECT_EQ(Percent(std::nullopt), "–");
  EXPECT_EQ(Percent(NAN), "–");
  EXPECT_EQ(PercentInterval(0.1, std::nullopt), "–");
  EXPECT_EQ(Number(INFINITY), "–");
}

TEST(NumberTextTest, ShowsIntervalsPointsAndPlainNumbers) {
  EXPECT_EQ(PercentInterval(-0.003, 0.0078), "[−0.30\u202f%, 0.78\u202f%]");
  EXPECT_EQ(Points(0.013), "1.30 points");
  EXPECT_EQ(Number(20.0), "20");
  EXPECT_EQ(Number(0.05), "0.05");
}

}  // namespace
}  // namespace gonogo::report
