// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/gait/observation_reader.h"
#include "gonogo/train/gait/trot.h"

namespace gonogo::train {

/// The trot behind the interface of any policy: it reads the observation and nothing else, so that
/// what a network can learn from it and what it is compared with are the same thing.
class TrotPolicy final : public robot::Policy {
 public:
  /// Fails if the observation lacks something the trot needs. `trot.weight_n` must be set.
  [[nodiscard]] static Result<TrotPolicy> Create(const robot::RobotSpec& spec, TrotConfig trot);

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return static_cast<int>(scale_.size()); }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  TrotPolicy(const robot::RobotSpec& spec, TrotConfig trot);

  TrotConfig trot_;
  int observation_size_;
  std::vector<double> default_pose_;
  std::vector<double> scale_;
  ObservationReader velocity_;
  ObservationReader omega_;
  ObservationReader gravity_;
  ObservationReader command_;
  ObservationReader phase_;
  robot::Cadence cadence_;
};

}  // namespace gonogo::train
