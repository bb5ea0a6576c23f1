// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gonogo::robot {

/// How what a joint is told becomes a torque.
enum class ActuatorKind {
  kPd,        ///< kp (target - q) - kd qd, clipped to the effort limit
  kDcMotor,   ///< the same, clipped by the four-quadrant torque-speed line of a DC motor
  kPosition,  ///< the model's own position actuators (implicit PD of the engine)
  /// kp (target - q) - kd qd whose damping the engine integrates implicitly, on the model's motors
  kImplicitPd,
  kTorque,    ///< the target is the torque, clipped to the effort limit
  kVelocity,  ///< kd (target - qd), clipped to the effort limit: wheels
};

/// Vectors have one value per joint, in the policy's order; an empty one means the default.
struct ActuatorSpec {
  std::vector<ActuatorKind> kind;     ///< kPd
  std::vector<double> kp;             ///< N m/rad; NaN or empty with kPosition = the model's
  std::vector<double> kd;             ///< N m s/rad; the same
  std::vector<double> effort_limit;   ///< N m; infinite when not given
  std::vector<double> saturation;     ///< kDcMotor: stall torque, N m
  std::vector<double> no_load_speed;  ///< kDcMotor: rad/s
  std::vector<double> lag_s;          ///< time constant of a first-order torque lag; 0 = none

  [[nodiscard]] ActuatorKind kind_of(std::size_t joint) const {
    return kind.empty() ? ActuatorKind::kPd : kind[joint];
  }
  /// Whether the engine computes a joint's torque, and not `Actuator`.
  [[nodiscard]] bool is_engines(std::size_t joint) const {
    return kind_of(joint) == ActuatorKind::kPosition || kind_of(joint) == ActuatorKind::kImplicitPd;
  }
  [[nodiscard]] bool all_engines() const {
    for (std::size_t j = 0; j < kind.size(); ++j) {
      if (!is_engines(j)) return false;
    }
    return !kind.empty();
  }
  /// Whether actions are offsets from the default pose, and not torques or speeds.
  [[nodiscard]] bool takes_angle(std::size_t joint) const {
    return kind_of(joint) != ActuatorKind::kTorque && kind_of(joint) != ActuatorKind::kVelocity;
  }
  /// Whether `gains` (kp or kd) says something about a joint.
  [[nodiscard]] static bool Given(const std::vector<double>& gains, std::size_t joint) {
    return joint < gains.size() && !std::isnan(gains[joint]);
  }
  /// Whether every joint has both gains.
  [[nodiscard]] bool has_gains() const {
    const auto all = [](const std::vector<double>& gains) {
      return !gains.empty() &&
             std::none_of(gains.begin(), gains.end(), [](double gain) { return std::isnan(gain); });
    };
    return all(kp) && all(kd);
  }
};

}  // namespace gonogo::robot
