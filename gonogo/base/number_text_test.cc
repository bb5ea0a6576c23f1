// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/number_text.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(NumberTextTest, ShowsSharesAsPercent) {
  EXPECT_EQ(Percent(0.0134), "1.34 %");
  EXPECT_EQ(Percent(-0.0035), "-0.35 %");
  EXPECT_EQ(Percent(0.712, 1), "71.2 %");
  EXPECT_EQ(Percent(1.0, 0), "100 %");
}

TEST(NumberTextTest, SetsTheSameNumberForAPage) {
  EXPECT_EQ(Percent(-0.003, 2, kTypesetLook), "−0.30\u202f%");
  EXPECT_EQ(PercentInterval(-0.003, 0.0078, 2, kTypesetLook), "[−0.30\u202f%, 0.78\u202f%]");
}

TEST(NumberTextTest, GivesANumberThatRoundsToZeroNoSign) {
  EXPECT_EQ(Percent(-1e-9), "0.00 %");
  EXPECT_EQ(Decimal(-0.0004, 3), "0.000");
  EXPECT_EQ(Decimal(0.0, 1, {.plus = "+"}), "0.0");
  EXPECT_EQ(Significant(-0.0, 4), "0");
}

TEST(NumberTextTest, ShowsAPlusOnlyWhereItIsAskedFor) {
  EXPECT_EQ(Decimal(0.012, 3), "0.012");
  EXPECT_EQ(Decimal(0.012, 3, {.plus = "+"}), "+0.012");
  EXPECT_EQ(Decimal(-0.012, 3, {.plus = "+"}), "-0.012");
}

TEST(NumberTextTest, ShowsADashWhereThereIsNoNumber) {
  EXPECT_EQ(Percent(std::nullopt), "–");
  EXPECT_EQ(Percent(NAN), "–");
  EXPECT_EQ(Decimal(INFINITY, 2), "–");
  EXPECT_EQ(Significant(std::nullopt, 4), "–");
  EXPECT_EQ(PercentInterval(0.1, std::nullopt), "–");
}

TEST(NumberTextTest, ShowsAnIntervalWithOneSignOfPercent) {
  EXPECT_EQ(PercentInterval(0.0063, 0.0203), "[0.63, 2.03] %");
  EXPECT_EQ(PercentInterval(-0.0063, 0.0203, 1), "[-0.6, 2.0] %");
}

TEST(NumberTextTest, DropsTheZerosThatSayNothing) {
  EXPECT_EQ(Significant(20.0, 4), "20");
  EXPECT_EQ(Significant(0.05, 4), "0.05");
  EXPECT_EQ(Significant(1.23e-7, 4, kTypesetLook), "1.23e-07");
}

}  // namespace
}  // namespace gonogo
