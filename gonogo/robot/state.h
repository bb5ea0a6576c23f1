// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gonogo/robot/command/target.h"

namespace gonogo::robot {

using Vec3 = std::array<double, 3>;

/// How a site of the model moves, seen from its own frame S.
struct SiteState {
  std::array<double, 4> quat_WS{1, 0, 0, 0};
  Vec3 v_S{};  ///< velocity of its origin
  Vec3 w_S{};
  Vec3 gravity_S{0, 0, -1};
};

/// What a robot's sensors know at one control step. Joints are in the policy's order; B is the
/// root link's frame, W the world.
struct RobotState {
  double time_s = 0.0;        ///< since the start of the episode
  double gait_clock_s = 0.0;  ///< the same, plus the phase the episode started with
  double gait_phase = 0.0;    ///< share of a turn, in [0, 1), of a phase that follows the command
  Vec3 p_W{};
  std::array<double, 4> quat_WB{1, 0, 0, 0};
  Vec3 v_B{};      ///< velocity of the root frame's origin
  Vec3 v_com_B{};  ///< velocity of the root body's centre of mass
  Vec3 w_B{};      ///< angular velocity
  Vec3 gravity_B{0, 0, -1};
  double yaw = 0.0;
  std::vector<double> q;
  std::vector<double> qd;
  std::vector<float> last_action;      ///< raw output of the policy, zeros after a reset
  std::vector<float> smoothed_action;  ///< what the motors are told of it; empty without smoothing
  std::vector<SiteState> sites;        ///< those of RobotSpec::sites
  std::vector<double> foot_force_n;    ///< normal force on every foot in the last physics step
  std::vector<float> scan;             ///< z_body - z_ground - offset, neither clipped nor scaled
  /// Terrain-relative height: mean scan return (as the policy sees it, clipped) plus the sensor
  /// offset; without a scan, height above the ground under the root.
  double posture_height_m = 0.0;

  /// Angle between the body's and the world's vertical.
  [[nodiscard]] double tilt_rad() const { return std::acos(std::clamp(-gravity_B[2], -1.0, 1.0)); }
  [[nodiscard]] Pose2 pose() const { return {{p_W[0], p_W[1]}, yaw}; }
};

}  // namespace gonogo::robot
