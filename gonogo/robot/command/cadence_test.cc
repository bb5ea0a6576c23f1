// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/cadence.h"

#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

// 2.5 turns a second from a norm of 1.5 upwards, 1 turn a second towards zero, rest below 0.1.
constexpr Cadence kFollowing{
    .period_s = 0.4, .slow_period_s = 1.0, .full_speed = 1.5, .rest_below = 0.1};

TEST(CadenceTest, TheFrequencyIsLinearInTheNormOfTheCommand) {
  // Half way: (1 + 2.5) / 2 turns a second.
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 0.75}), 1.0 / 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 0.5, .vy = -0.5, .wz = 0.25}), 1.0 / 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({}), 1.0, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 1.5}), 0.4, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = -3.0}), 0.4, 1e-12);
}

TEST(CadenceTest, ThePhaseAdvancesByTheCommandedFrequencyAndWraps) {
  EXPECT_NEAR(kFollowing.Advance(0.2, {.vx = 0.75}, 0.02), 0.2 + 0.02 * 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.Advance(0.99, {.vx = 2.0}, 0.02), 0.04, 1e-12);
}

TEST(CadenceTest, ThePhaseRestsWhenToldToStandAndBeginsAgainAtZero) {
  EXPECT_TRUE(kFollowing.Rests({.vx = 0.09}));
  EXPECT_FALSE(kFollowing.Rests({.vx = 0.08, .vy = 0.08}));
  EXPECT_EQ(kFollowing.Advance(0.7, {}, 0.02), 0.0);
}

TEST(CadenceTest, APeriodAloneIsAClockThatNeverRests) {
  constexpr Cadence kClock{.period_s = 0.4};
  EXPECT_FALSE(kClock.follows_command());
  EXPECT_FALSE(kClock.Rests({}));
  EXPECT_EQ(kClock.PeriodAt({.vx = 0.1}), 0.4);
}

}  // namespace
}  // namespace gonogo::robot
