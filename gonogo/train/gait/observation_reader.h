// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::train {

/// Physical values of one term of the observation vector: where it is and what its elements are
/// to be divided by.
class ObservationReader {
 public:
  ObservationReader() = default;  ///< of no term; nothing can be read from it

  /// Fails if the robot's observation has no such term.
  [[nodiscard]] static Result<ObservationReader> Find(const robot::RobotSpec& spec,
                                                      robot::TermKind kind);

  [[nodiscard]] double Read(std::span<const float> observation, int i) const;
  [[nodiscard]] Eigen::Vector3d ReadVector(std::span<const float> observation) const;
  /// The command of a command term.
  [[nodiscard]] robot::Command ReadCommand(std::span<const float> observation) const;
  /// Share of the period, in [0, 1), from the sine and cosine of a gait-phase term.
  [[nodiscard]] double ReadPhase(std::span<const float> observation) const;

 private:
  int offset_ = 0;
  std::vector<double> scale_;
  bool cosine_first_ = false;
  std::vector<robot::CommandChannel> channels_;
};

}  // namespace gonogo::train
