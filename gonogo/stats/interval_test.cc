// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/interval.h"

#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::stats {
namespace {

TEST(QuantileTest, InterpolatesLinearlyBetweenOrderStatistics) {
  const std::array<double, 4> sorted = {1.0, 2.0, 4.0, 8.0};
  EXPECT_DOUBLE_EQ(Quantile(sorted, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(Quantile(sorted, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(Quantile(sorted, 0.75), 5.0);
  EXPECT_DOUBLE_EQ(Quantile(sorted, 1.0), 8.0);
}

TEST(QuantileTest, OfOneValueIsThatValue) {
  const std::array<double, 1> one = {-3.5};
  for (const double p : {0.0, 0.3, 1.0}) EXPECT_EQ(Quantile(one, p), -3.5);
}

TEST(QuantileTest, KeepsAnInfiniteEndInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::array<double, 3> sorted = {-infinity, 0.0, 1.0};
  EXPECT_EQ(Quantile(sorted, 0.1), -infinity);
  EXPECT_EQ(Quantile(sorted, 0.75), 0.5);
}

TEST(PercentileIntervalTest, CutsEqualTailsWhateverTheOrder) {
  std::vector<double> values(41);
  std::iota(values.rbegin(), values.rend(), 0.0);  // 40, 39, ..., 0
  const Interval interval = PercentileInterval(values, 0.95);
  EXPECT_NEAR(interval.lower, 1.0, 1e-12);
  EXPECT_NEAR(interval.upper, 39.0, 1e-12);
  EXPECT_NEAR(interval.width(), 38.0, 1e-12);
}

TEST(QuantileDeathTest, OfNothingIsOurBug) {
  EXPECT_DEATH((void)Quantile({}, 0.5), "check failed");
}

}  // namespace
}  // namespace gonogo::stats
