// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/audit/rules/violations/rate.h"

namespace gonogo::audit {
namespace {

TEST(NetRateTest, IsLossesLessGainsWithTheScatterOfClusters) {
  // 2 lost, 1 gained, nothing: 1 of 30 on balance. Residuals 2 - 1/3, -1 - 1/3, -1/3 of ten each.
  const std::vector<ClusterEvents> clusters = {{10, 2}, {10, -1}, {10, 0}};
  const NetRate rate = EstimateNetRate(clusters);
  EXPECT_DOUBLE_EQ(rate.point, 1.0 / 30.0);
  const double squares = (25.0 + 16.0 + 1.0) / 9.0;
  EXPECT_DOUBLE_EQ(rate.se, std::sqrt(1.5 * squares) / 30.0);
}

TEST(NetRateTest, MoreGainedThanLostIsBelowZero) {
  const std::vector<ClusterEvents> clusters = {{10, -2}, {10, -2}};
  EXPECT_DOUBLE_EQ(EstimateNetRate(clusters).point, -0.2);
  EXPECT_DOUBLE_EQ(EstimateNetRate(clusters).se, 0.0);
}

TEST(NetRateTest, ATableInWhichNothingChangesLeavesOpenWhatNoEventDoes) {
  const std::vector<ClusterEvents> clusters(20, {48, 0});
  const ViolationClustering clustering{.icc = 0.1};
  EXPECT_DOUBLE_EQ(NetMargin(clusters, 0.025, clustering.icc, 0.0, 2.0),
                   BoundRate(clusters, 0.025, clustering).bound);
  EXPECT_DOUBLE_EQ(NetMargin(clusters, 0.025, clustering.icc, 0.5, 2.0), 1.0);
}

}  // namespace
}  // namespace gonogo::audit
