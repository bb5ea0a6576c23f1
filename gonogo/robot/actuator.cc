// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/actuator.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::robot {

Actuator::Actuator(const ActuatorSpec& spec, double dt_s)
    : spec_(spec), lag_step_(spec.lag_s > 0.0 ? 1.0 - std::exp(-dt_s / spec.lag_s) : 1.0) {
  GONOGO_CHECK(!spec.is_engines());
}

double Actuator::Clip(std::size_t joint, double torque, double qd) const {
  const double limit = spec_.effort_limit[joint];
  if (spec_.kind == ActuatorKind::kPd) return std::clamp(torque, -limit, limit);
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
    const double wanted = spec_.kp[j] * (target[j] - q[j]) - spec_.kd[j] * qd[j];
    lagged[j] += lag_step_ * (wanted - lagged[j]);
    torque[j] = Clip(j, lagged[j], qd[j]);
  }
}

}  // namespace gonogo::robot
