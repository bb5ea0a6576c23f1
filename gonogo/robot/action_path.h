// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// What becomes of a policy's output before the motors see it: clip, smoothing, scale and offset,
/// limits of the targets, delay. Immutable; a running copy keeps the memory.
class ActionPath {
 public:
  explicit ActionPath(const RobotSpec& spec);

  /// Smoothed action at the start of an episode: zeros, or nothing without smoothing.
  [[nodiscard]] std::vector<float> StartSmoothed() const;
  /// Targets at the start of an episode, the newest first: those of zero actions, as many as the
  /// delay reaches back.
  [[nodiscard]] std::vector<double> StartTargets() const;

  /// Takes the output of a control step. `clipped` gets what the policy is shown as its last
  /// action; the other two are memory. Allocates nothing.
  void Push(std::span<const float> action, std::span<float> clipped, std::span<float> smoothed,
            std::span<double> targets) const;

  /// The targets in force at a physics step of the present control step.
  [[nodiscard]] std::span<const double> At(int substep, std::span<const double> targets) const;

 private:
  [[nodiscard]] double Target(std::size_t joint, double action) const;

  RobotSpec spec_;
  std::size_t joints_;
  int reach_;  // control steps that the delay reaches back
};

}  // namespace gonogo::robot
