// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/gait/biped.h"
#include "gonogo/train/gait/observation_reader.h"

namespace gonogo::train {

/// The biped's walk behind the interface of any policy; see `TrotPolicy`. Joints that are in no
/// leg stay at their default.
class BipedPolicy final : public robot::Policy {
 public:
  /// Fails if the observation lacks something the walk needs. `biped.weight_n` must be set.
  [[nodiscard]] static Result<BipedPolicy> Create(const robot::RobotSpec& spec, BipedConfig biped);

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return static_cast<int>(scale_.size()); }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  BipedPolicy(const robot::RobotSpec& spec, BipedConfig biped);

  BipedConfig biped_;
  int observation_size_;
  std::vector<double> default_pose_;
  std::vector<double> scale_;
  std::vector<double> kp_;
  std::vector<double> kd_;
  ObservationReader velocity_;
  ObservationReader omega_;
  ObservationReader gravity_;
  ObservationReader command_;
  ObservationReader joint_pos_;
  ObservationReader joint_vel_;
  ObservationReader phase_;
  robot::Cadence cadence_;
};

}  // namespace gonogo::train
