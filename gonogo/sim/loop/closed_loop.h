// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gonogo/robot/policy.h"
#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {

/// Everything that decides how a frozen policy on a robot goes on: restored into any loop of the
/// same world and policy, on any thread or in another process, it continues bit for bit.
struct LoopSnapshot {
  EnvState env;
  std::vector<float> hidden;  ///< recurrent state of the policy
  Disturbance disturbance = {};
};

/// A frozen policy and the robot it moves: commands in, motion out.
class ClosedLoop {
 public:
  /// The policy must fit the robot's observation and joints.
  [[nodiscard]] static Result<ClosedLoop> Create(std::shared_ptr<const World> world,
                                                 std::shared_ptr<const robot::Policy> policy);

  void Reset(const Start& start);

  /// One control step under a command.
  [[nodiscard]] Status Advance(const robot::Command& command);

  /// What the policy would see under a command, without acting on it.
  [[nodiscard]] std::span<const float> Observe(const robot::Command& command);

  [[nodiscard]] const Env& env() const { return env_; }

  [[nodiscard]] LoopSnapshot Save() const { return {env_.Save(), memory_.hidden, disturbance_}; }
  void Restore(const LoopSnapshot& snapshot);

 private:
  ClosedLoop(std::shared_ptr<const World> world, std::shared_ptr<const robot::Policy> policy);

  Env env_;
  std::shared_ptr<const robot::Policy> policy_;
  robot::PolicyMemory memory_;
  Disturbance disturbance_;
  std::vector<float> action_;
};

}  // namespace gonogo::sim
