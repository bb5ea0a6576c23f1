// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/actuator.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

using ::testing::ElementsAre;

RobotSpec OneJoint() {
  RobotSpec spec;
  spec.joints = {"a"};
  spec.default_pose = {0.5};
  spec.action_scale = {0.25};
  spec.target_low = {-10.0};
  spec.target_high = {2.0};
  spec.decimation = 4;
  return spec;
}

/// The target at every physics step of three control steps with the actions 1, 2 and 3.
std::vector<double> TargetsOf(const RobotSpec& spec) {
  const ActionPath path(spec);
  std::vector<float> smoothed = path.StartSmoothed();
  std::vector<double> targets = path.StartTargets();
  std::vector<float> clipped(1);
  std::vector<double> told;
  for (const float action : {1.0F, 2.0F, 3.0F}) {
    path.Push(std::vector<float>{action}, clipped, smoothed, targets);
    for (int step = 0; step < spec.decimation; ++step) told.push_back(path.At(step, targets)[0]);
  }
  return told;
}

TEST(ActionPathTest, ScalesShiftsAndClips) {
  RobotSpec spec = OneJoint();
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0, 1.25, 1.25, 1.25, 1.25));
  spec.action_clip = 2.5;
  EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.5 + 0.25 * 2.5);
  spec.target_high = {0.9};
  EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.9);
}

TEST(ActionPathTest, AnActionActsAfterTheDelayAndTheDefaultPoseBefore) {
  RobotSpec spec = OneJoint();
  spec.action_delay = 1;
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0, 1.25, 1.25, 1.25));
  spec.action_delay = 4;  // a control step
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0));
  spec.action_delay = 6;
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0));
}

TEST(ActionPathTest, SmoothingKeepsAShareOfTheSmoothedActionBefore) {
  RobotSpec spec = OneJoint();
  spec.decimation = 1;
  spec.action_smoothing = 0.5;
  // 0.5 x 0 + 0.5 x 1, 0.5 x 0.5 + 0.5 x 2, 0.5 x 1.25 + 0.5 x 3
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5 + 0.25 * 0.5, 0.5 + 0.25 * 1.25, 0.5 + 0.25 * 2.125));
}

TEST(ActionPathTest, TorquesAndSpeedsAreNoOffsetsFromTheDefaultPose) {
  RobotSpec spec = OneJoint();
  for (const ActuatorKind kind : {ActuatorKind::kTorque, ActuatorKind::kVelocity}) {
    spec.actuator.kind = {kind};
    EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.75);
  }
}

ActuatorSpec Go2Motor() {
  return {.kind = {ActuatorKind::kDcMotor},
          .kp = {25.0},
          .kd = {0.5},
          .effort_limit = {23.5},
          .saturation = {23.5},
          .no_load_speed = {30.0}};
}

double Torque(const ActuatorSpec& spec, double target, double q, double qd) {
  double lagged = 0.0;
  double torque = 0.0;
  Actuator(spec, 0.005).Torques({&target, 1}, {&q, 1}, {&qd, 1}, {&lagged, 1}, {&torque, 1});
  return torque;
}

TEST(ActuatorTest, IsAPlainPdControllerBelowItsLimits) {
  EXPECT_DOUBLE_EQ(Torque(Go2Motor(), 1.0, 0.8, 2.0), 25.0 * 0.2 - 0.5 * 2.0);
}

TEST(ActuatorTest, ADcMotorLosesTorqueWithSpeedAndGainsItWhenBraking) {
  // Pulling forward at half the no-load speed leaves half the stall torque.
  EXPECT_DOUBLE_EQ(Torque(Go2Motor(), 10.0, 0.0, 15.0), 23.5 * 0.5);
  // Beyond the no-load speed the motor can only brake: at 45 rad/s at least by half.
  EXPECT_DOUBLE_EQ(Torque(Go2Motor(), 10.0, 0.0, 45.0), -23.5 * 0.5);
  // Braking is capped by the effort limit alone.
  EXPECT_DOUBLE_EQ(Torque(Go2Motor(), -10.0, 0.0, 15.0), -23.5);
}

TEST(ActuatorTest, ALagApproachesTheWantedTorqueExponentially) {
  ActuatorSpec spec{
      .kind = {ActuatorKind::kPd}, .kp = {80.0}, .kd = {0.0}, .effort_limit = {100.0}};
  spec.lag_s = {0.01};
  const Actuator actuator(spec, 0.005);
  const double target = 1.0;
  const double zero = 0.0;
  double lagged = 0.0;
  double torque = 0.0;
  for (int i = 0; i < 4; ++i) {
    actuator.Torques({&target, 1}, {&zero, 1}, {&zero, 1}, {&lagged, 1}, {&torque, 1});
  }
  EXPECT_NEAR(torque, 80.0 * (1.0 - std::exp(-2.0)), 1e-12);
}

}  // namespace

}  // namespace gonogo::robot
