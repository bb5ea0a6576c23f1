// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/rate.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

TEST(CalibratedRateTest, NoViolationInTwentyClustersIsNotNoRisk) {
  const std::vector<ClusterEvents> none(20, {48.0, 0.0});
  const RateEstimate worst = EstimateRate(none, 0.025, 1.0);
  EXPECT_DOUBLE_EQ(worst.effective_queries, 20.0);
  EXPECT_NEAR(worst.interval.upper, 0.168, 5e-4);  // 1 - 0.025^(1/20)
  const RateEstimate usual = EstimateRate(none, 0.025, 0.1);
  EXPECT_NEAR(usual.effective_queries, 960.0 / 5.7, 1e-9);
  EXPECT_NEAR(usual.interval.upper, 1.0 - std::pow(0.025, 5.7 / 960.0), 1e-12);
  EXPECT_EQ(usual.interval.lower, 0.0);
  EXPECT_EQ(usual.point, 0.0);
}

TEST(CalibratedRateTest, IndependentQueriesGiveClopperAndPearson) {
  // Clusters of one query: the variance between clusters is the binomial one.
  std::vector<ClusterEvents> queries(400, {1.0, 0.0});
  for (std::size_t i = 0; i < 20; ++i) queries[i * 20].events = 1.0;
  const RateEstimate rate = EstimateRate(queries, 0.025, 0.1);
  const double n = rate.effective_queries;
  EXPECT_NEAR(n, 399.0, 1e-6);  // K / (K - 1) in the variance
  EXPECT_NEAR(rate.interval.upper, stats::BetaQuantile(0.975, 0.05 * n + 1.0, 0.95 * n), 1e-12);
  EXPECT_NEAR(rate.interval.lower, stats::BetaQuantile(0.025, 0.05 * n, 0.95 * n + 1.0), 1e-12);
}

TEST(CalibratedRateTest, ViolationsConcentratedInFewClustersWidenTheInterval) {
  std::vector<ClusterEvents> spread(20, {48.0, 2.0});
  for (std::size_t k = 0; k < 20; k += 2) spread[k].events = 3.0;
  std::vector<ClusterEvents> packed(20, {48.0, 0.0});
  packed[3].events = 25.0;
  packed[11].events = 25.0;
  const RateEstimate even = EstimateRate(spread, 0.025, 0.1);
  const RateEstimate uneven = EstimateRate(packed, 0.025, 0.1);
  ASSERT_DOUBLE_EQ(even.point, uneven.point);
  EXPECT_GT(uneven.interval.width(), 3.0 * even.interval.width());
}

TEST(CalibratedRateTest, ALargerStandardErrorFromElsewhereWidensTheInterval) {
  std::vector<ClusterEvents> clusters(20, {48.0, 2.0});
  for (std::size_t k = 0; k < 20; k += 2) clusters[k].events = 3.0;
  const RateEstimate own = EstimateRate(clusters, 0.025, 0.1);
  const RateEstimate floored = EstimateRate(clusters, 0.025, 0.1, 2.0 * 0.0072);
  EXPECT_DOUBLE_EQ(floored.se, 2.0 * 0.0072);
  EXPECT_GT(floored.interval.width(), own.interval.width());
  EXPECT_EQ(EstimateRate(clusters, 0.025, 0.1, 0.5 * own.se).interval, own.interval);
}

TEST(CalibratedRateTest, AClusterIsWorthOneQueryHoweverLargeTheStandardError) {
  std::vector<ClusterEvents> clusters(20, {36.0, 0.0});
  clusters[4].events = 2.0;
  const RateEstimate rate = EstimateRate(clusters, 0.025, 0.1, 0.5);
  const double ratio = stats::StudentTQuantile(0.975, 719.0) / stats::StudentTQuantile(0.975, 19.0);
  EXPECT_NEAR(rate.effective_queries, 19.0 * ratio * ratio, 1e-9);
  EXPECT_LT(rate.interval.upper, 0.21);
}

TEST(CalibratedRateTest, ASingleClusterSaysNothing) {
  const std::vector<ClusterEvents> one(1, {100.0, 3.0});
  EXPECT_EQ(EstimateRate(one, 0.025, 0.1).interval, (stats::Interval{0.0, 1.0}));
}

TEST(CalibratedRateTest, AllViolatingMirrorsNoneViolating) {
  const std::vector<ClusterEvents> none(7, {10.0, 0.0});
  const std::vector<ClusterEvents> all(7, {10.0, 10.0});
  const RateEstimate low = EstimateRate(none, 0.025, 0.1);
  const RateEstimate high = EstimateRate(all, 0.025, 0.1);
  EXPECT_NEAR(high.interval.lower, 1.0 - low.interval.upper, 1e-12);
  EXPECT_EQ(high.interval.upper, 1.0);
}

}  // namespace
}  // namespace gonogo::audit
