// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/loop/wired_graph.h"

namespace gonogo::sim {

/// A policy read from an ONNX file, or from two: an encoder and the policy that takes its result.
/// Inputs that the description names get their pieces of the observation; if it names none, the
/// first input gets all of it. Further inputs are recurrent state, which starts at zero: each takes
/// at the next step what the output of the same number gave at this one, the first output being the
/// action. Without state, the action is the first output with as many values as the robot has
/// joints, and others, such as a critic's value, are computed and forgotten.
class OnnxPolicy final : public robot::Policy {
 public:
  /// Reads the policy a robot.toml names and checks that it fits the robot's observation, joints
  /// and recurrent state.
  [[nodiscard]] static Result<std::shared_ptr<const robot::Policy>> Load(
      const robot::RobotSpec& spec);

  [[nodiscard]] int observation_size() const override {
    return static_cast<int>(observation_size_);
  }
  [[nodiscard]] int action_size() const override { return static_cast<int>(policy_.result_size()); }
  [[nodiscard]] robot::PolicyMemory StartMemory() const override;
  [[nodiscard]] std::optional<robot::ExpectedInput> Expectation() const override;
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  OnnxPolicy(std::size_t observation_size, std::optional<WiredGraph> encoder, WiredGraph policy)
      : observation_size_(observation_size),
        encoder_(std::move(encoder)),
        policy_(std::move(policy)) {}

  std::size_t observation_size_;
  std::optional<WiredGraph> encoder_;
  WiredGraph policy_;
};

}  // namespace gonogo::sim
