// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/rng.h"

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(RngStreamTest, SameNameGivesTheSameNumbers) {
  Rng a = RngStream(7).Child("refit").Child(17).Generator();
  Rng b = RngStream(7).Child("refit").Child(17).Generator();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.NextU64(), b.NextU64());
}

TEST(RngStreamTest, NeighbouringNamesShareNothing) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {0U, 1U, 2U}) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      seen.insert(RngStream(seed).Child(i).Generator().NextU64());
      seen.insert(RngStream(seed).Child(std::to_string(i)).Generator().NextU64());
    }
  }
  EXPECT_EQ(seen.size(), 600U);
}

TEST(RngTest, UniformHasTheMomentsOfTheUnitInterval) {
  Rng rng = RngStream(1).Generator();
  constexpr int kDraws = 200000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.Uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  // Five standard errors: a false alarm would be one seed in 10^6.
  EXPECT_NEAR(sum / kDraws, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / kDraws));
}

TEST(RngTest, NormalHasZeroMeanUnitVarianceAndKurtosisThree) {
  Rng rng = RngStream(2).Generator();
  constexpr int kDraws = 200000;
  std::array<double, 4> moments{};
  for (int i = 0; i < kDraws; ++i) {
    const double z = rng.Normal();
    moments[0] += z;
    moments[1] += z * z;
    moments[3] += z * z * z * z;
  }
  EXPECT_NEAR(moments[0] / kDraws, 0.0, 5.0 / std::sqrt(kDraws));
  EXPECT_NEAR(moments[1] / kDraws, 1.0, 5.0 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(moments[3] / kDraws, 3.0, 5.0 * std::sqrt(96.0 / kDraws));
}

TEST(RngTest, BelowIsUniformOverItsRange) {
  Rng rng = RngStream(3).Generator();
  std::vector<int> counts(7);
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++counts[rng.Below(7)];
  double chi2 = 0.0;
  for (const int count : counts) chi2 += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi2, 35.9);  // 6 degrees of freedom, false alarm 3e-6
}

TEST(RngTest, ShuffleKeepsEveryItem) {
  std::vector<int> items(50);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  RngStream(4).Generator().Shuffle(std::span<int>(shuffled));
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(RngTest, RestoredStateContinuesWithTheSameNumbers) {
  Rng rng = RngStream(5).Generator();
  for (int i = 0; i < 3; ++i) (void)rng.NextU32();
  (void)rng.Normal();
  const Rng::State state = rng.state();
  std::vector<double> expected;
  for (int i = 0; i < 9; ++i) expected.push_back(i % 2 == 0 ? rng.Normal() : rng.Uniform());

  Rng fresh = RngStream(5).Generator();
  fresh.Restore(state);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(i % 2 == 0 ? fresh.Normal() : fresh.Uniform(), expected[i]);
}

}  // namespace
}  // namespace gonogo
