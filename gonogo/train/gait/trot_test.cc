// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/trot.h"

#include <gtest/gtest.h>

namespace gonogo::train {
namespace {

// Two diagonal pairs of identical legs, 0.4 m long and 0.3 m wide.
TrotConfig Quadruped() {
  TrotConfig config;
  for (int leg = 0; leg < 4; ++leg) {
    const double x = leg < 2 ? 0.2 : -0.2;
    const double side = leg % 2 == 0 ? 1.0 : -1.0;
    config.legs.push_back(
        {.geometry = {.hip_B = {x, 0.05 * side}, .lateral = 0.1 * side, .thigh = 0.2, .shank = 0.2},
         .joints = {3 * leg, 3 * leg + 1, 3 * leg + 2},
         .phase = leg == 0 || leg == 3 ? 0.0 : 0.5});
  }
  config.period_s = 0.5;
  config.stance_share = 0.6;
  config.stand_height_m = 0.3;
  config.swing_height_m = 0.06;
  return config;
}

TrotState Level(double phase, const Eigen::Vector3d& command) {
  return {.phase = phase,
          .command = command,
          .velocity_B = {command.x(), command.y(), 0.0},
          .omega_B = Eigen::Vector3d::Zero(),
          .gravity_B = {0, 0, -1}};
}

TEST(TrotTest, TouchesDownHalfAStanceStrokeAhead) {
  const TrotConfig config = Quadruped();
  // Stance lasts 0.6 * 0.5 s = 0.3 s; at 1 m/s half a stroke is 0.15 m.
  const Eigen::Vector3d foot = TrotFoot(config, config.legs[0], Level(0.0, {1, 0, 0}));
  EXPECT_TRUE(foot.isApprox(Eigen::Vector3d(0.15, 0.1, -0.3), 1e-12)) << foot.transpose();
}

TEST(TrotTest, IsUnderTheHipInMidStanceAndHighestInMidSwing) {
  const TrotConfig config = Quadruped();
  const Eigen::Vector3d stance = TrotFoot(config, config.legs[0], Level(0.3, {1, 0.5, 0}));
  EXPECT_TRUE(stance.isApprox(Eigen::Vector3d(0, 0.1, -0.3), 1e-12)) << stance.transpose();
  const Eigen::Vector3d swing = TrotFoot(config, config.legs[0], Level(0.8, {1, 0.5, 0}));
  EXPECT_TRUE(swing.isApprox(Eigen::Vector3d(0, 0.1, -0.24), 1e-12)) << swing.transpose();
}

TEST(TrotTest, TurnsByMovingTheFeetAroundTheBase) {
  const TrotConfig config = Quadruped();
  // wz = 1: the front left hip at (0.2, 0.05) moves with (-0.05, 0.2) m/s.
  const Eigen::Vector3d foot = TrotFoot(config, config.legs[0], Level(0.0, {0, 0, 1}));
  EXPECT_NEAR(foot.x(), -0.05 * 0.15, 1e-12);
  EXPECT_NEAR(foot.y(), 0.1 + 0.2 * 0.15, 1e-12);
}

TEST(TrotTest, StepsForwardWhenTheRobotIsFasterThanCommanded) {
  TrotConfig config = Quadruped();
  config.velocity_gain_s = 0.1;
  TrotState state = Level(0.0, {0, 0, 0});
  state.velocity_B.x() = 0.5;
  EXPECT_NEAR(TrotFoot(config, config.legs[0], state).x(), 0.05, 1e-12);
}

TEST(TrotTest, PushesTheFrontUpWhenTheNoseIsDown) {
  const TrotConfig config = Quadruped();
  TrotState state = Level(0.3, {0, 0, 0});
  // Nose down by 0.1 rad: gravity leans towards +x.
  state.gravity_B = {std::sin(0.1), 0.0, -std::cos(0.1)};
  EXPECT_NEAR(TrotFoot(config, config.legs[0], state).z(), -0.3 - 0.2 * 0.1, 1e-12);
  state.phase = 0.8;  // now the other diagonal stands
  EXPECT_GT(TrotFoot(config, config.legs[2], state).z(), -0.3);
}

TEST(TrotTest, DiagonalLegsStandTogetherAndTheOtherPairHalfAPeriodLater) {
  const TrotConfig config = Quadruped();
  EXPECT_TRUE(InStance(config, config.legs[0], 0.2));
  EXPECT_TRUE(InStance(config, config.legs[3], 0.2));
  EXPECT_FALSE(InStance(config, config.legs[1], 0.2));
  EXPECT_FALSE(InStance(config, config.legs[2], 0.2));
  EXPECT_TRUE(InStance(config, config.legs[1], 0.7));
}

TEST(TrotTest, SwingsAsHighAsTheCommandSays) {
  TrotConfig config = Quadruped();
  robot::Command command;
  EXPECT_DOUBLE_EQ(SwingHeight(config, command), 0.06);
  config.swing_channel = {"step_height", 3, 0.08};
  EXPECT_DOUBLE_EQ(SwingHeight(config, command), 0.08);
  config.swing_channel->Set(command, 0.11);
  EXPECT_NEAR(SwingHeight(config, command), 0.11, 1e-15);
}

TEST(TrotTest, StandsOnAllFeetWithAnEqualShareOfTheWeight) {
  TrotConfig config = Quadruped();
  config.weight_n = 160.0;
  config.press_share = 0.5;
  config.stiffness_nm = 50.0;
  std::vector<float> targets(12);
  StandTargets(config, targets);
  const LegAngles q = SolveLeg(config.legs[0].geometry, {0.0, 0.1, -0.3});
  // Half of 160 N on four feet.
  const LegAngles expected = q + PressTorque(config.legs[0].geometry, q, 20.0) / 50.0;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(targets[i], expected[i], 1e-6);
  EXPECT_NEAR(targets[3], -targets[0], 1e-6);  // the mirrored leg
  EXPECT_NEAR(targets[4], targets[1], 1e-6);
}

TEST(TrotTest, TargetsAreTheInverseKinematicsPlusTorqueOverStiffness) {
  TrotConfig config = Quadruped();
  config.weight_n = 150.0;
  config.press_share = 1.0;
  config.stiffness_nm = 50.0;
  const TrotState state = Level(0.3, {0.4, 0, 0});
  std::vector<float> targets(12);
  TrotTargets(config, state, targets);
  const LegAngles q = SolveLeg(config.legs[0].geometry, TrotFoot(config, config.legs[0], state));
  const LegAngles expected = q + PressTorque(config.legs[0].geometry, q, 75.0) / 50.0;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(targets[i], expected[i], 1e-6);
  const LegAngles swing =
      SolveLeg(config.legs[1].geometry, TrotFoot(config, config.legs[1], state));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(targets[3 + i], swing[i], 1e-6);
}

}  // namespace
}  // namespace gonogo::train
