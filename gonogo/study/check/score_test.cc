// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/study/check/check.h"

namespace gonogo::study {
namespace {

TEST(ScoreTest, IsTheMeanDistanceBetweenToldAndDoneInUnitsOfTheBox) {
  const robot::CommandBox box{{-2.0, -1.0, -0.5}, {2.0, 1.0, 0.5}};
  const std::vector<CommandTrial> trials{
      {"zero", -1, {}}, {"vx+", 0, {.vx = 2.0}}, {"wz+", 2, {.wz = 0.5}}};
  std::vector<Motion> motions(3);
  motions[1].velocity = {1.4, 0.8, 0.0};  // 0.6 and 0.8 m/s off: 1 m/s of 2
  motions[1].power_w = 30.0;
  motions[2].velocity = {0.0, 0.0, 0.25};  // half of it
  motions[2].power_w = 60.0;
  const Score score = ScoreOf(box, trials, motions);
  EXPECT_EQ(score.falls, 0);
  EXPECT_DOUBLE_EQ(score.error, (0.0 + 0.5 + 0.5) / 3.0);
  EXPECT_DOUBLE_EQ(score.power_w, 30.0);
  motions[1].fell = true;
  const Score fallen = ScoreOf(box, trials, motions);
  EXPECT_EQ(fallen.falls, 1);
  EXPECT_DOUBLE_EQ(fallen.error, (0.0 + 1.5 + 0.5) / 3.0);
  EXPECT_DOUBLE_EQ(fallen.power_w, 30.0);
}

TEST(ScoreTest, BetterIsWhatStaysUpOrFollowsMuchCloserOrCostsMuchLess) {
  const Score walks{0, 0.20, 100.0};
  EXPECT_FALSE(ClearlyBetter(walks, walks));
  EXPECT_TRUE(ClearlyBetter(walks, {3, 0.9, 80.0}));
  EXPECT_FALSE(ClearlyBetter({1, 0.1, 50.0}, {3, 0.9, 80.0}));  // it falls as well
  EXPECT_TRUE(ClearlyBetter({0, 0.12, 100.0}, walks));
  EXPECT_FALSE(ClearlyBetter({0, 0.12, 150.0}, walks));            // closer, but dearer
  EXPECT_TRUE(ClearlyBetter({0, 0.10, 250.0}, {0, 0.40, 100.0}));  // the other hardly moved
  EXPECT_TRUE(ClearlyBetter({0, 0.21, 70.0}, walks));
  EXPECT_FALSE(ClearlyBetter({0, 0.25, 70.0}, walks));              // cheaper, but less close
  EXPECT_FALSE(ClearlyBetter({0, 0.03, 100.0}, {0, 0.05, 100.0}));  // both good enough
}

TEST(ScoreTest, GivesUpOnWhatCanNoLongerBeBetterAndOnNothingElse) {
  const Score walks{0, 0.20, 100.0};
  const Score falls{3, 0.90, 80.0};
  EXPECT_TRUE(OutOfTheRunning({1, 0.1, 50.0, 1}, 7, falls));
  // Two of five done with a mean error of 0.54: at least 0.216 over all five, and 0.22 is allowed.
  EXPECT_FALSE(OutOfTheRunning({0, 0.54, 50.0, 2}, 5, walks));
  EXPECT_TRUE(OutOfTheRunning({0, 0.56, 50.0, 2}, 5, walks));
  // Beside a robot that falls, 0.5 is allowed, whatever the power.
  EXPECT_FALSE(OutOfTheRunning({0, 1.2, 900.0, 2}, 5, falls));
  EXPECT_TRUE(OutOfTheRunning({0, 1.3, 900.0, 2}, 5, falls));
}

}  // namespace
}  // namespace gonogo::study
