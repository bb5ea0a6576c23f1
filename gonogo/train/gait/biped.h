// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/train/gait/leg.h"

namespace gonogo::train {

/// One leg of a walking biped: yaw about z, then roll, pitch, knee as in `LegGeometry`, then an
/// ankle about y. `geometry.hip_B` is the roll axis ahead of and beside the yaw axis.
struct BipedLeg {
  LegGeometry geometry;
  Eigen::Vector3d yaw_axis_B = Eigen::Vector3d::Zero();  ///< in the root frame [m]
  std::array<int, 5> joints{};  ///< yaw, roll, pitch, knee, ankle in the policy's joint order
  double phase = 0.0;           ///< share of the period by which this leg runs ahead, in [0, 1)
};

/// An analytic walk: the stance leg carries the weight and levels the trunk by torques, the
/// swing foot goes where a linear inverted pendulum would have to step to reach the commanded
/// speed one step later. Told to stand, both legs carry and balance. No memory beyond the gait
/// phase.
struct BipedConfig {
  std::vector<BipedLeg> legs;    ///< left, right
  double period_s = 0.8;         ///< of two steps
  double stance_share = 0.55;    ///< of the period; beyond one half both feet stand
  double stand_height_m = 0.95;  ///< root above the sole
  double sole_m = 0.07;          ///< ankle above the sole
  double pendulum_m = 0.85;      ///< centre of mass above the sole
  double swing_height_m = 0.10;
  double half_width_m = 0.12;     ///< foot beside the centre of mass at touch-down
  double pressure_m = 0.03;       ///< centre of pressure ahead of the ankle
  double speed_change_m_s = 0.4;  ///< most to be gained or lost in a step
  double trim_m = 0.0;            ///< shift of touch-down, forward
  double height_stiffness_n_m = 4000.0;
  double height_damping_ns_m = 400.0;
  double trunk_stiffness_nm = 300.0;
  double trunk_damping_nms = 30.0;
  double hip_arm_m = 0.13;     ///< lateral lever of the weight about the stance hip
  double trunk_share = 0.8;    ///< of the weight that the stance hip carries
  double lean = 0.0;           ///< pitch of the trunk, forward [rad]
  double swing_rate = 18.0;    ///< how fast errors of the swing leg are corrected, 1/s
  double swing_damping = 0.8;  ///< of that correction; 1 = critical
  /// Of a swinging leg about its joints; where zero, the drive follows the reference by itself.
  Eigen::Matrix<double, 5, 1> inertia_kgm2 = Eigen::Matrix<double, 5, 1>::Zero();
  double weight_n = 0.0;  ///< m g of the robot
};

/// What the walk reads; vectors in the root frame, joints in the policy's order.
struct BipedState {
  bool stand = false;  ///< on both feet, whatever the phase and the command are
  double phase = 0.0;
  Eigen::Vector3d command;
  Eigen::Vector3d velocity_B;
  Eigen::Vector3d omega_B;
  Eigen::Vector3d gravity_B;
  std::span<const double> q;
  std::span<const double> qd;
};

/// Stiffness and damping of the drives, in the policy's joint order.
struct DriveGains {
  std::span<const double> kp;
  std::span<const double> kd;
};

/// Writes targets for the joints of the legs; other elements stay as they are.
void BipedTargets(const BipedConfig& config, const DriveGains& gains, const BipedState& state,
                  std::span<float> targets);

}  // namespace gonogo::train
