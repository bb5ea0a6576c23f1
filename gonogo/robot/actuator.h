// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// What becomes of a policy's output before the motors see it: clip, smoothing, scale and offset,
/// limits of the targets, delay. Immutable; a running copy keeps the memory.
class ActionPath {
 public:
  explicit ActionPath(const RobotSpec& spec);

  /// Smoothed action at the start of an episode: zeros, or nothing without smoothing.
  [[nodiscard]] std::vector<float> StartSmoothed() const;
  /// Targets at the start of an episode, the newest first: those of zero actions, as many as the
  /// delay reaches back.
  [[nodiscard]] std::vector<double> StartTargets() const;

  /// Takes the output of a control step. `clipped` gets what the policy is shown as its last
  /// action; the other two are memory. Allocates nothing.
  void Push(std::span<const float> action, std::span<float> clipped, std::span<float> smoothed,
            std::span<double> targets) const;

  /// The targets in force at a physics step of the present control step.
  [[nodiscard]] std::span<const double> At(int substep, std::span<const double> targets) const;

 private:
  [[nodiscard]] double Target(std::size_t joint, double action) const;

  RobotSpec spec_;
  std::size_t joints_;
  int reach_;  // control steps that the delay reaches back
};

/// Explicit actuator laws (kPd, kDcMotor, kTorque, kVelocity), evaluated once per physics step.
class Actuator {
 public:
  /// `dt_s` is the physics step; only the lag depends on it.
  Actuator(const ActuatorSpec& spec, double dt_s);

  /// What the motors are told for joint targets at joint positions q and velocities qd: torques,
  /// or the target itself where the engine is the actuator. `lagged` is the memory of the torque
  /// lag (zeros at the start of an episode); without a lag it ends up equal to `torque` before
  /// clipping. All spans have one value per joint.
  void Torques(std::span<const double> target, std::span<const double> q,
               std::span<const double> qd, std::span<double> lagged,
               std::span<double> torque) const;

 private:
  [[nodiscard]] double Wanted(std::size_t joint, double target, double q, double qd) const;
  [[nodiscard]] double Clip(std::size_t joint, double torque, double qd) const;

  ActuatorSpec spec_;
  // Share of the way to the wanted torque covered in one physics step.
  std::vector<double> lag_step_;
};

}  // namespace gonogo::robot
