// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec.h"

namespace gonogo::sim {

/// A policy read from an ONNX file. The first input is the observation and the first output the
/// action; further ones are recurrent state, which starts at zero: input i + 1 takes at the next
/// step what output i + 1 gave at this one. Without state, outputs may be more than inputs: the
/// action is the first one with as many values as the robot has joints, and others, such as a
/// critic's value, are computed and forgotten.
class OnnxPolicy final : public robot::Policy {
 public:
  /// Reads the policy a robot.toml names and checks that it fits the robot's observation, joints
  /// and recurrent state.
  [[nodiscard]] static Result<std::shared_ptr<const robot::Policy>> Load(
      const robot::RobotSpec& spec);

  [[nodiscard]] int observation_size() const override;
  [[nodiscard]] int action_size() const override;
  [[nodiscard]] robot::PolicyMemory StartMemory() const override;
  [[nodiscard]] std::optional<robot::ExpectedInput> Expectation() const override;
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  OnnxPolicy(nn::OnnxModel model, std::size_t action) : model_(std::move(model)), action_(action) {}

  nn::OnnxModel model_;
  std::size_t action_;  // index of the output
};

}  // namespace gonogo::sim
