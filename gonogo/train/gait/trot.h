// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/robot/command/command.h"
#include "gonogo/train/gait/leg.h"

namespace gonogo::train {

/// One leg of the trot: its geometry and which joints it moves.
struct TrotLeg {
  LegGeometry geometry;
  std::array<int, 3> joints{};  ///< abduction, hip, knee in the policy's joint order
  double phase = 0.0;           ///< share of the period by which this leg runs ahead, in [0, 1)
  double home_m = 0.0;          ///< foot ahead of its hip in mid stance
};

/// An analytic trot: foot placement by the commanded velocity, attitude feedback through the stance
/// feet and a gravity feed-forward. No memory beyond the gait phase, so that a network that sees
/// the phase can learn it.
struct TrotConfig {
  std::vector<TrotLeg> legs;
  double period_s = 0.4;
  double stance_share = 0.6;     ///< of the period, in (0, 1)
  double stand_height_m = 0.28;  ///< abduction axis above the foot centre in mid stance
  double swing_height_m = 0.06;
  /// Channel of the command that says the swing height instead, in m.
  std::optional<robot::CommandChannel> swing_channel = {};
  double velocity_gain_s = 0.08;  ///< touch-down shift per velocity error
  double attitude_rate_gain_s = 0.08;
  double weight_n = 0.0;       ///< m g of the robot
  double press_share = 0.85;   ///< of the weight carried by the feed-forward
  double stiffness_nm = 60.0;  ///< kp of the joints: turns torque into a target offset
  double damping_nms = 0.0;    ///< kd of the joints that the targets make up for
  Eigen::Vector3d inertia_kgm2 = Eigen::Vector3d::Zero();  ///< of a swinging leg about its joints
  double lead_s = 0.0;  ///< the targets are those of so much later: drives answer late
  Eigen::Vector2d trim_m =
      Eigen::Vector2d::Zero();  ///< constant shift of all feet (centre of mass)
};

/// What the trot reads; all in the base frame.
struct TrotState {
  double phase = 0.0;          ///< share of the period, in [0, 1)
  Eigen::Vector3d command;     ///< (vx, vy, wz)
  Eigen::Vector3d velocity_B;  ///< linear velocity of the base
  Eigen::Vector3d omega_B;     ///< angular velocity
  Eigen::Vector3d gravity_B;   ///< unit vector; upright = (0, 0, -1)
};

/// Writes one joint target per joint of the policy's joint order (radians, feed-forward included).
void TrotTargets(const TrotConfig& config, const TrotState& state, std::span<float> targets);

/// The same for a robot that is told to stand: all feet under their hips, each with its share of
/// the weight. No attitude feedback: four feet on the ground need none, and it would never rest.
void StandTargets(const TrotConfig& config, std::span<float> targets);

/// How high the feet swing under a command.
[[nodiscard]] double SwingHeight(const TrotConfig& config, const robot::Command& command);

/// Whether the leg should carry weight at this phase.
[[nodiscard]] bool InStance(const TrotConfig& config, const TrotLeg& leg, double phase);

/// Foot position relative to its abduction axis, before the feed-forward; exposed for tests.
[[nodiscard]] Eigen::Vector3d TrotFoot(const TrotConfig& config, const TrotLeg& leg,
                                       const TrotState& state);

}  // namespace gonogo::train
