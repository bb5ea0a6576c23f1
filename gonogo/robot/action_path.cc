// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/action_path.h"

#include <algorithm>

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

}  // namespace gonogo::robot
