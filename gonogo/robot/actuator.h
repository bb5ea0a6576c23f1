// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/robot/spec/actuator_spec.h"

namespace gonogo::robot {

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
