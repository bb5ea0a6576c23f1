// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/actuator.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

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
