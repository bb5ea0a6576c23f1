// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/baselines.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/control/testing/fake_predictor.h"

namespace gonogo::control {
namespace {

using internal::TestRobot;
using robot::Command;

constexpr Situation kUpright{
    .observation = {}, .goal_B = {0.4, 0.3}, .height_m = 0.3, .tilt_rad = 0.0};

Governor MakeGovernor() { return Governor::Create({}, TestRobot()).value(); }

TEST(DirectTest, IsProportionalAndClippedToTheBox) {
  Direct direct(TestRobot());
  EXPECT_EQ(direct.Decide(kUpright).command, (Command{0.4, 0.3, std::atan2(0.3, 0.4)}));
  EXPECT_EQ(direct.Decide({.observation = {}, .goal_B = {3.0, -4.0}}).command,
            (Command{1.0, -1.0, std::atan2(-4.0, 3.0)}));
}

TEST(FixedScaleTest, MultipliesTheDirectCommand) {
  FixedScale scaled = FixedScale::Create(0.75, TestRobot()).value();
  EXPECT_EQ(scaled.Decide(kUpright).command, 0.75 * Direct(TestRobot()).Command({0.4, 0.3}));
  FixedScale unscaled = FixedScale::Create(1.0, TestRobot()).value();
  EXPECT_EQ(unscaled.Decide(kUpright).command, Direct(TestRobot()).Command({0.4, 0.3}));
}

TEST(FixedScaleTest, StaysInTheBoxAndRefusesNonsense) {
  FixedScale faster = FixedScale::Create(1.5, TestRobot()).value();
  const Situation far{.observation = {}, .goal_B = {3.0, 0.0}};
  EXPECT_EQ(faster.Decide(far).command, (Command{1.0, 0.0, 0.0}));
  for (const double scale : {0.0, -1.0, 2.5, std::nan("")}) {
    EXPECT_FALSE(FixedScale::Create(scale, TestRobot()).ok()) << scale;
  }
}

TEST(GovernorTest, LeavesAHealthyRobotAloneBitForBit) {
  const CommandDecision decision = MakeGovernor().Decide(kUpright);
  EXPECT_EQ(decision.reason, Reason::kDirect);
  EXPECT_EQ(decision.command, Direct(TestRobot()).Command({0.4, 0.3}));
}

TEST(GovernorTest, ScalesLinearlyBetweenFullAndLeast) {
  Governor governor = MakeGovernor();
  Situation half_low = kUpright;
  half_low.height_m = 0.9 * 0.3;  // half way between 1.0 and 0.8 of nominal
  EXPECT_NEAR(governor.Decide(half_low).command.vx, 0.7 * 0.4, 1e-12);
  Situation tilted = kUpright;
  tilted.tilt_rad = 0.30;
  EXPECT_NEAR(governor.Decide(tilted).command.vx, 0.4 * 0.4, 1e-12);
  Situation fallen = kUpright;
  fallen.height_m = 0.1;
  EXPECT_NEAR(governor.Decide(fallen).command.vx, 0.4 * 0.4, 1e-12);
}

TEST(GovernorTest, TheWorseMeasurementDecides) {
  Governor governor = MakeGovernor();
  double before = 1.0;
  for (const double tilt : {0.0, 0.1, 0.2, 0.3, 0.5}) {
    Situation now = kUpright;
    now.tilt_rad = tilt;
    now.height_m = 0.97 * 0.3;
    const double vx = governor.Decide(now).command.vx;
    EXPECT_LE(vx, before);
    before = vx;
  }
}

TEST(GovernorTest, RefusesThresholdsInTheWrongOrder) {
  EXPECT_FALSE(Governor::Create({.height_full = 0.7}, TestRobot()).ok());
  EXPECT_FALSE(Governor::Create({.tilt_least_rad = 0.01}, TestRobot()).ok());
  EXPECT_FALSE(Governor::Create({.least_scale = 0.0}, TestRobot()).ok());
}

}  // namespace
}  // namespace gonogo::control
