// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/robot/state.h"

namespace gonogo::robot {

/// Assembles the observation vector a robot.toml declares.
class Observer {
 public:
  explicit Observer(const RobotSpec& spec);

  /// Values of this step, term by term, with the histories of terms and of the whole. `memory`
  /// carries the histories: `first` fills them (with this step's values or zeros), `again` replaces
  /// the newest ones (an observation taken twice in one control step) instead of pushing. With
  /// `noise`, every element gets its term's uniform noise. Allocates nothing once `memory` has its
  /// size.
  void Observe(const RobotState& state, const Command& command, Rng* noise, bool first, bool again,
               std::vector<float>& memory) const;

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void ObserveFrame(const ObservationBlock& block, const RobotState& state, const Command& command,
                    Rng* noise, bool first, bool push, float* out) const;
  [[nodiscard]] double Value(const ObservationTerm& term, std::size_t i, const RobotState& state,
                             const Command& command) const;

  std::vector<ObservationTerm> terms_;
  std::vector<CommandChannel> channels_;
  std::vector<double> default_pose_;
  std::vector<ObservationBlock> blocks_;
  std::size_t size_;
};

}  // namespace gonogo::robot
