// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "gonogo/base/result.h"
#include "gonogo/robot/command.h"
#include "gonogo/robot/spec.h"

namespace gonogo::response {

/// Where and how an observation carries the velocity of the newest command.
struct CommandSlot {
  int offset = 0;
  std::array<double, 3> scale{1.0, 1.0, 1.0};
  double clip_low = -std::numeric_limits<double>::infinity();
  double clip_high = std::numeric_limits<double>::infinity();

  /// Fails for a policy that is not told a command: nothing could be varied.
  [[nodiscard]] static Result<CommandSlot> Find(const robot::RobotSpec& robot);

  /// The command as the observation holds it.
  [[nodiscard]] std::array<float, 3> Encode(const robot::Command& command) const;
  /// Replaces the command of an observation.
  void Write(const robot::Command& command, std::span<float> observation) const;
};

}  // namespace gonogo::response
