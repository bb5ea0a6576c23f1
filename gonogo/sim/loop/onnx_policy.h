// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec.h"

namespace gonogo::sim {

/// A policy read from an ONNX file. The first input is the observation and the first output the
/// action; further ones are recurrent state, which starts at zero: input i + 1 takes at the next
/// step what output i + 1 gave at this one.
class OnnxPolicy final : public robot::Policy {
 public:
  /// Reads the policy a robot.toml names and checks that it fits the robot's observation, joints
  /// and recurrent state.
  [[nodiscard]] static Result<std::shared_ptr<const robot::Policy>> Load(
      const robot::RobotSpec& spec);

  [[nodiscard]] int observation_size() const override;
  [[nodiscard]] int action_size() const override;
  [[nodiscard]] robot::PolicyMemory StartMemory() const override;
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  explicit OnnxPolicy(nn::OnnxModel model) : model_(std::move(model)) {}

  nn::OnnxModel model_;
};

}  // namespace gonogo::sim
