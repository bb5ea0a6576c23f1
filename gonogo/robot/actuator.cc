// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/actuator.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::robot {

Actuator::Actuator(const ActuatorSpec& spec, double dt_s)
    : spec_(spec), lag_step_(spec.effort_limit.size(), 1.0) {
  GONOGO_CHECK(!spec.all_engines());
  for (std::size_t j = 0; j < spec.lag_s.size(); ++j) {
    if (spec.lag_s[j] > 0.0) lag_step_[j] = 1.0 - std::exp(-dt_s / spec.lag_s[j]);
  }
}

double Actuator::Wanted(std::size_t joint, double target, double q, double qd) const {
  switch (spec_.kind_of(joint)) {
    case ActuatorKind::kTorque:
      return target;
    case ActuatorKind::kVelocity:
      return spec_.kd[joint] * (target - qd);
    default:
      return spec_.kp[joint] * (target - q) - spec_.kd[joint] * qd;
  }
}

double Actuator::Clip(std::size_t joint, double torque, double qd) const {
  const double limit = spec_.effort_limit[joint];
  if (spec_.kind_of(joint) != ActuatorKind::kDcMotor) return std::clamp(torque, -limit, limit);
  const double stall = spec_.saturation[joint];
  const double v_max = spec_.no_load_speed[joint];
  const double v_corner = v_max * (1.0 + limit / stall);
  const double slope = stall * std::clamp(qd, -v_corner, v_corner) / v_max;
  return std::clamp(torque, std::max(-stall - slope, -limit), std::min(stall - slope, limit));
}

void Actuator::Torques(std::span<const double> target, std::span<const double> q,
                       std::span<const double> qd, std::span<double> lagged,
                       std::span<double> torque) const {
  for (std::size_t j = 0; j < torque.size(); ++j) {
    if (spec_.is_engines(j)) {
      torque[j] = target[j];
      continue;
    }
    lagged[j] += lag_step_[j] * (Wanted(j, target[j], q[j], qd[j]) - lagged[j]);
    torque[j] = Clip(j, lagged[j], qd[j]);
  }
}

}  // namespace gonogo::robot
