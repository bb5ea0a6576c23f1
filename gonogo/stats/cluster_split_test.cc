// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/cluster_split.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace gonogo::stats {
namespace {

std::uint32_t Total(const std::vector<std::uint32_t>& multiplicity) {
  return std::accumulate(multiplicity.begin(), multiplicity.end(), 0U);
}

TEST(ClusterSplitTest, LeaveOneOutTrainsOnceOnEveryOtherCluster) {
  const ClusterSplit split = LeaveOneOut(4, 2);
  EXPECT_EQ(split.multiplicity, (std::vector<std::uint32_t>{1, 1, 0, 1}));
  EXPECT_EQ(HeldOut(split), (std::vector<std::size_t>{2}));
}

TEST(ClusterSplitTest, BootstrapMultiplicitiesSumToTheNumberOfClusters) {
  for (const std::size_t clusters : {2U, 5U, 20U, 96U}) {
    for (std::uint64_t b = 0; b < 200; ++b) {
      const ClusterSplit split = BootstrapSplit(clusters, RngStream(1).Child(b));
      EXPECT_EQ(Total(split.multiplicity), clusters);
    }
  }
}

TEST(ClusterSplitTest, BootstrapAlwaysLeavesACluster) {
  // With two clusters half of all draws leave none out and have to be repeated.
  for (std::uint64_t b = 0; b < 500; ++b) {
    EXPECT_EQ(HeldOut(BootstrapSplit(2, RngStream(2).Child(b))).size(), 1U);
  }
}

TEST(ClusterSplitTest, BootstrapLeavesOutTheExpectedShare) {
  constexpr std::size_t kClusters = 20;
  constexpr int kDraws = 20000;
  double held_out = 0.0;
  for (std::uint64_t b = 0; b < kDraws; ++b) {
    held_out +=
        static_cast<double>(HeldOut(BootstrapSplit(kClusters, RngStream(3).Child(b))).size());
  }
  const double expected = kClusters * std::pow(1.0 - 1.0 / kClusters, kClusters);
  // Standard deviation of the number of empty cells is below 1.5: five standard errors.
  EXPECT_NEAR(held_out / kDraws, expected, 5.0 * 1.5 / std::sqrt(kDraws));
}

TEST(ClusterSplitTest, MeanOfResampledClusterMeansHasItsClosedFormStandardError) {
  // Var* of the bootstrap mean of K values is their population variance / K.
  const std::vector<double> values = {1.0, 4.0, -2.0, 0.5, 3.0, 8.0, -1.0, 2.5};
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double variance = 0.0;
  for (const double v : values) variance += (v - mean) * (v - mean) / n;
  const std::vector<std::uint32_t> each_once(values.size(), 1);
  Rng rng = RngStream(4).Generator();
  constexpr int kDraws = 40000;
  double squares = 0.0;
  for (int b = 0; b < kDraws; ++b) {
    const std::vector<std::uint32_t> drawn = ResampleUnits(each_once, rng);
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += drawn[k] * values[k];
    squares += (sum / n - mean) * (sum / n - mean) / kDraws;
  }
  // Relative standard error of a variance from 40,000 draws is sqrt(2 / 40000) = 0.7 %.
  EXPECT_NEAR(squares / (variance / n), 1.0, 0.035);
}

TEST(ClusterSplitTest, ResampledUnitsComeFromTheTrainingClustersOnly) {
  Rng rng = RngStream(5).Generator();
  const std::vector<std::uint32_t> multiplicity = {3, 0, 1, 0, 2};
  for (int i = 0; i < 100; ++i) {
    const std::vector<std::uint32_t> drawn = ResampleUnits(multiplicity, rng);
    EXPECT_EQ(Total(drawn), 6U);
    EXPECT_EQ(drawn[1] + drawn[3], 0U);
  }
}

}  // namespace
}  // namespace gonogo::stats
