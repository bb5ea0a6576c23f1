// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/possible.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

OutcomeTotals HundredQueries() {
  OutcomeTotals totals{.queries = {60.0, 40.0}, .cost = ClusterActionTotals::Constant(2, 2, 1.0)};
  totals.spread = 0.2;
  return totals;
}

// 1 - 0.025^(1/100) = 0.036217 of new queries may be ones at which it acts, each worth 0.2.
TEST(GainLimitsTest, NeverSeenToActIsNotNever) {
  const OutcomeTotals totals = HundredQueries();
  double point = 1e-16;
  stats::Interval interval{-1e-16, 1e-16};
  double refuting = 1e-16;
  GainLimits(totals, 0.95).Settle(point, interval, refuting);
  EXPECT_EQ(point, 0.0);
  EXPECT_NEAR(interval.upper, 0.2 * 0.0362167, 1e-7);
  EXPECT_NEAR(interval.lower, -interval.upper, 1e-15);
  EXPECT_NEAR(refuting, UnseenGain(totals, 0.025 / 3.0), 1e-15);
  EXPECT_GT(refuting, interval.upper);
}

TEST(GainLimitsTest, NothingSavesMoreThanEverythingAndThePointLiesInside) {
  double point = 0.9;
  stats::Interval interval{0.95, 1.2};
  double refuting = 1.3;
  GainLimits(HundredQueries(), 0.95).Settle(point, interval, refuting);
  EXPECT_EQ(interval.upper, 1.0);
  EXPECT_EQ(refuting, 1.0);
  EXPECT_LE(interval.lower, point);
}

TEST(SettleRateTest, IsAShareOrNothingWhereNothingCanBeBroken) {
  OutcomeTotals totals = HundredQueries();
  double point = -0.01;
  stats::Interval interval{-0.02, 1.4};
  double refuting = -0.03;
  SettleRate(totals, point, interval, refuting);
  EXPECT_EQ(point, 0.0);
  EXPECT_EQ(interval.lower, 0.0);
  EXPECT_EQ(interval.upper, 1.0);
  totals.can_violate = false;
  SettleRate(totals, point, interval, refuting);
  EXPECT_EQ(interval.upper, 0.0);
  totals.can_violate = true;
  totals.counts_net_success = true;
  point = -0.5;
  interval = {-1.5, 0.1};
  SettleRate(totals, point, interval, refuting);
  EXPECT_EQ(point, -0.5);
  EXPECT_EQ(interval.lower, -1.0);
}

}  // namespace
}  // namespace gonogo::audit
