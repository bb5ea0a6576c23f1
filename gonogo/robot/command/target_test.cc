// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/target.h"

#include <numbers>

#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(TargetTest, AGoalIsSeenFromTheBody) {
  // The robot looks along +y from (1, 1); a point two metres ahead of it is at (1, 3).
  const Point2 goal_B = GoalInBody({{1.0, 1.0}, kPi / 2}, {1.0, 3.0});
  EXPECT_NEAR(goal_B.x, 2.0, 1e-12);
  EXPECT_NEAR(goal_B.y, 0.0, 1e-12);
}

TEST(TargetTest, ATargetPlacedFromTheStartIsSeenThereFromTheStart) {
  const Pose2 start{{0.3, -1.2}, 2.1};
  const Point2 target_S{1.75, -0.75};
  const Point2 back = GoalInBody(start, TargetInWorld(start, target_S));
  EXPECT_NEAR(back.x, target_S.x, 1e-12);
  EXPECT_NEAR(back.y, target_S.y, 1e-12);
}

TEST(TargetTest, AnglesWrapToHalfOpenTurn) {
  EXPECT_DOUBLE_EQ(WrapAngle(3.0 * kPi), -kPi);
  EXPECT_DOUBLE_EQ(WrapAngle(-0.5), -0.5);
  EXPECT_NEAR(WrapAngle(kPi + 0.1), -kPi + 0.1, 1e-12);
}

TEST(DirectCommandTest, IsProportionalNearTheGoalAndClippedFarFromIt) {
  const CommandBox box;
  const Command near = DirectCommand({0.3, 0.0}, {.k_v = 2.0, .k_psi = 0.5}, box);
  EXPECT_DOUBLE_EQ(near.vx, 0.6);
  EXPECT_DOUBLE_EQ(near.vy, 0.0);
  EXPECT_DOUBLE_EQ(near.wz, 0.0);
  const Command far = DirectCommand({-3.0, 3.0}, {.k_v = 2.0, .k_psi = 0.5}, box);
  EXPECT_DOUBLE_EQ(far.vx, -1.0);
  EXPECT_DOUBLE_EQ(far.vy, 1.0);
  EXPECT_DOUBLE_EQ(far.wz, 1.0);  // 0.5 * 135 degrees = 1.18 rad/s
}

}  // namespace
}  // namespace gonogo::robot
