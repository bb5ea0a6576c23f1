// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/actuator.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::robot {

ActionPath::ActionPath(const RobotSpec& spec)
    : spec_(spec),
      joints_(spec.joints.size()),
      reach_((spec.action_delay + spec.decimation - 1) / spec.decimation) {}

double ActionPath::Target(std::size_t joint, double action) const {
  return std::clamp(spec_.TargetFor(joint, action), spec_.target_low[joint],
                    spec_.target_high[joint]);
}

std::vector<float> ActionPath::StartSmoothed() const {
  return std::vector<float>(spec_.action_smoothing > 0.0 ? joints_ : 0, 0.0F);
}

std::vector<double> ActionPath::StartTargets() const {
  std::vector<double> targets;
  for (int step = 0; step <= reach_; ++step) {
    for (std::size_t j = 0; j < joints_; ++j) targets.push_back(Target(j, 0.0));
  }
  return targets;
}

void ActionPath::Push(std::span<const float> action, std::span<float> clipped,
                      std::span<float> smoothed, std::span<double> targets) const {
  std::copy_backward(targets.begin(), targets.end() - static_cast<std::ptrdiff_t>(joints_),
                     targets.end());
  const auto clip = static_cast<float>(spec_.action_clip);
  const auto stays = static_cast<float>(spec_.action_smoothing);
  for (std::size_t j = 0; j < joints_; ++j) {
    clipped[j] = std::clamp(action[j], -clip, clip);
    float told = clipped[j];
    if (!smoothed.empty()) {
      told = smoothed[j] = stays * smoothed[j] + (1.0F - stays) * clipped[j];
    }
    targets[j] = Target(j, told);
  }
}

std::span<const double> ActionPath::At(int substep, std::span<const double> targets) const {
  const int late = spec_.action_delay - substep;  // physics steps before this control step
  const int ago = late <= 0 ? 0 : (late + spec_.decimation - 1) / spec_.decimation;
  return targets.subspan(static_cast<std::size_t>(ago) * joints_, joints_);
}

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
