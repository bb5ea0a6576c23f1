// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/biped.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::train {
namespace {

// Two legs under the middle of the root, 0.8 m long, 0.2 m apart, slightly bent; 500 N.
class BipedTest : public ::testing::Test {
 protected:
  BipedTest() {
    for (const double side : {1.0, -1.0}) {
      BipedLeg leg;
      leg.yaw_axis_B = {0.0, 0.1 * side, -0.1};
      leg.geometry = {.thigh = 0.4, .shank = 0.4, .knee_sign = 1.0};
      for (int j = 0; j < 5; ++j) leg.joints[j] = j + (side > 0.0 ? 0 : 5);
      leg.phase = side > 0.0 ? 0.0 : 0.5;
      config_.legs.push_back(leg);
    }
    config_.stand_height_m = 0.1 + 0.8 * std::cos(0.3) + config_.sole_m;
    config_.weight_n = 500.0;
    config_.pressure_m = 0.0;
    config_.hip_arm_m = 0.1;
    for (const int first : {0, 5}) {
      q_[first + 2] = -0.3;
      q_[first + 3] = 0.6;
      q_[first + 4] = -0.3;
    }
  }

  /// Offsets of the targets from the joints, times the stiffness: torques in the stance leg.
  std::vector<double> Torques(const BipedState& state) const {
    std::vector<float> targets(10);
    BipedTargets(config_, {.kp = kp_, .kd = kd_}, state, targets);
    std::vector<double> torques(10);
    for (int j = 0; j < 10; ++j) torques[j] = kp_[j] * (targets[j] - q_[j]);
    return torques;
  }

  BipedState Level(double phase) const {
    return {.phase = phase,
            .command = Eigen::Vector3d::Zero(),
            .velocity_B = Eigen::Vector3d::Zero(),
            .omega_B = Eigen::Vector3d::Zero(),
            .gravity_B = {0, 0, -1},
            .q = q_,
            .qd = qd_};
  }

  BipedConfig config_;
  std::vector<double> q_ = std::vector<double>(10, 0.0);
  std::vector<double> qd_ = std::vector<double>(10, 0.0);
  std::vector<double> kp_ = std::vector<double>(10, 200.0);
  std::vector<double> kd_ = std::vector<double>(10, 5.0);
};

TEST_F(BipedTest, TheStanceLegCarriesTheWeight) {
  const std::vector<double> torque = Torques(Level(0.25));
  // Hip above ankle: no moment at the hip. The knee is 0.4 sin 0.3 ahead of both.
  EXPECT_NEAR(torque[2], 0.0, 1e-3);
  EXPECT_NEAR(torque[3], -500.0 * 0.4 * std::sin(0.3), 1e-3);
  EXPECT_NEAR(torque[4], 0.0, 1e-3);
  EXPECT_NEAR(torque[1], 500.0 * 0.1, 1e-3);  // left leg: the weight hangs to its right
}

TEST_F(BipedTest, TheStanceHipTurnsALeaningTrunkBack) {
  BipedState state = Level(0.25);
  state.gravity_B = {std::sin(0.05), 0.0, -std::cos(0.05)};  // nose down
  EXPECT_GT(Torques(state)[2], 10.0);                        // leg backward, trunk up
  state.gravity_B = {-std::sin(0.05), 0.0, -std::cos(0.05)};
  EXPECT_LT(Torques(state)[2], -10.0);
}

TEST_F(BipedTest, TheSwingFootGoesWhereTheRobotFalls) {
  const double late = 0.9;  // the right leg stands, the left one is about to come down
  const std::vector<double> still = Torques(Level(late - 0.001));
  BipedState state = Level(late - 0.001);
  state.velocity_B.y() = 0.3;
  EXPECT_GT(Torques(state)[1], still[1] + 5.0);  // to the left: out with the left leg
  state = Level(late - 0.001);
  state.velocity_B.x() = 0.3;
  EXPECT_LT(Torques(state)[2], still[2] - 5.0);  // forward
}

TEST_F(BipedTest, WeightIsHandedOverWhileBothFeetStand) {
  // Just after the left foot came down the right one still carries nearly everything.
  const std::vector<double> torque = Torques(Level(0.01));
  EXPECT_NEAR(torque[3] + torque[8], -500.0 * 0.4 * std::sin(0.3), 1e-3);
  EXPECT_NEAR(torque[3] / torque[8], 0.01 / 0.04, 1e-6);
}

TEST_F(BipedTest, StandsOnBothFeetAndLeansAgainstAPush) {
  BipedState state = Level(0.25);
  state.stand = true;
  const std::vector<double> still = Torques(state);
  for (const int knee : {3, 8}) EXPECT_NEAR(still[knee], -250.0 * 0.4 * std::sin(0.3), 1e-3);
  for (const int ankle : {4, 9}) EXPECT_NEAR(still[ankle], 0.0, 1e-3);
  state.velocity_B.x() = 0.1;  // pushed forward: the weight goes to the toes, which press down
  for (const int ankle : {4, 9}) EXPECT_GT(Torques(state)[ankle], 2.0);
  state.velocity_B = {0.0, 0.1, 0.0};  // to the left: the left leg takes more of the weight
  const std::vector<double> swayed = Torques(state);
  EXPECT_LT(swayed[3], still[3]);
  EXPECT_NEAR(swayed[3] + swayed[8], still[3] + still[8], 1e-3);
}

TEST_F(BipedTest, StaysFiniteAfterAFall) {
  BipedState state = Level(0.7);
  state.gravity_B = {1.0, 0.0, 0.0};
  state.velocity_B = {0.0, 30.0, -30.0};
  for (const double torque : Torques(state)) EXPECT_LE(std::abs(torque), 200.0 * 1.2001);
}

}  // namespace
}  // namespace gonogo::train
