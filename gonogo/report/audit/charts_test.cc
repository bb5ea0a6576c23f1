// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/charts.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

TEST(HistogramTest, PutsABinEdgeExactlyOnTheThreshold) {
  constexpr std::array kValues{-0.3, 0.2, 0.9, 1.4, 2.7};
  constexpr double kEdge = 0.77;
  int below = 0;
  int above = 0;
  for (const Bin& bin : CountInBins(kValues, kEdge, 5)) {
    EXPECT_TRUE(bin.to <= kEdge || bin.from >= kEdge) << bin.from << " to " << bin.to;
    (bin.to <= kEdge ? below : above) += bin.count;
  }
  EXPECT_EQ(below, 2);
  EXPECT_EQ(above, 3);
}

TEST(HistogramTest, CountsAValueOnTheEdgeBelowIt) {
  constexpr std::array kValues{0.0, 1.0, 2.0};
  const std::vector<Bin> bins = CountInBins(kValues, 1.0, 2);
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[1].to, 1.0);
  EXPECT_EQ(bins[1].count, 1);
}

TEST(HistogramTest, HoldsEveryFiniteValueEvenWhenAllAreEqual) {
  constexpr std::array kValues{0.0, 0.0, 0.0};
  const std::vector<Bin> bins = CountInBins(kValues, 0.05, 32);
  ASSERT_EQ(bins.size(), 1u);
  EXPECT_EQ(bins[0].count, 3);
  EXPECT_GT(bins[0].to - bins[0].from, 0.05 / 100.0);  // wide enough to be seen beside the edge
}

TEST(HistogramTest, LeavesOutWhatIsNotFinite) {
  const std::array values{1.0, std::nan(""), HUGE_VAL};
  const std::vector<Bin> bins = CountInBins(values, 0.0, 4);
  ASSERT_EQ(bins.size(), 1u);
  EXPECT_EQ(bins[0].count, 1);
  EXPECT_TRUE(CountInBins({}, 0.0, 4).empty());
}

TEST(HistogramTest, PutsIntoOneBinWhatNoWidthTellsApart) {
  constexpr double kTiny = 4e-324;  // a sixtieth of it is zero
  for (const std::array values : {std::array{-1.7e308, 1.7e308}, std::array{0.0, kTiny}}) {
    const std::vector<Bin> bins = CountInBins(values, values[1], 32);
    ASSERT_EQ(bins.size(), 1u);
    EXPECT_EQ(bins[0].count, 2);
  }
}

}  // namespace
}  // namespace gonogo::report::internal
