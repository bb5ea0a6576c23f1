// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/sim/world/world.h"

namespace gonogo::sim {

/// What masses and gains say about one joint in the default pose.
struct JointMechanics {
  /// kg m2 (or kg): what a torque on this joint alone accelerates, everything else being free.
  double inertia = 0.0;
  double kp = 0.0;  ///< as the simulation applies it
  double kd = 0.0;  ///< the part of the damping that is integrated explicitly
  /// Torque with which it carries its share of the weight, feet equally loaded, N m.
  double standing_torque = 0.0;
  /// Its mechanical range, if the model limits it.
  std::optional<std::array<double, 2>> range;
  int chain = 0;  ///< the branch of the root that it belongs to, in the model's order
  int depth = 0;  ///< joints between it and the root
  int place = 0;  ///< in the model's own order of joints

  /// kd dt / J; an explicit integration of one joint needs less than 2.
  [[nodiscard]] double damping_step(double dt_s) const { return kd * dt_s / inertia; }
  /// kp dt^2 / J; with the damping: 2 kd dt / J + kp dt^2 / J < 4.
  [[nodiscard]] double stiffness_step(double dt_s) const { return kp * dt_s * dt_s / inertia; }
};

/// What masses and gains say about a robot in its default pose, in the policy's joint order.
class Mechanics {
 public:
  [[nodiscard]] static Result<Mechanics> Of(const World& world);

  [[nodiscard]] const std::vector<JointMechanics>& joints() const { return joints_; }

  /// How much of what explicit integration can take is used at a physics step: the largest
  /// eigenvalue of M^-1 (2 Kd dt + Kp dt^2) / 4, where 1 is the limit of stability; and the joint
  /// that moves most in the mode it belongs to.
  struct Load {
    double value = 0.0;
    std::size_t joint = 0;
  };
  [[nodiscard]] Load LoadAt(double dt_s) const;

  /// Generalised positions of the model's keyframes, in the policy's order, one row per keyframe.
  [[nodiscard]] const std::vector<std::vector<double>>& keyframes() const { return keyframes_; }

 private:
  std::vector<JointMechanics> joints_;
  std::vector<double> inverse_;  // joints x joints block of M^-1
  std::vector<std::vector<double>> keyframes_;
};

}  // namespace gonogo::sim
