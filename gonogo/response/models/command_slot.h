// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::response {

/// Where and how an observation carries the newest command.
struct CommandSlot {
  static constexpr std::size_t kMost = 3 + robot::Command::kMostExtra;
  /// As many of its values as there are channels.
  using Values = std::array<float, kMost>;

  int offset = 0;
  std::vector<robot::CommandChannel> channels = robot::VelocityChannels();
  std::vector<double> scale{1.0, 1.0, 1.0};
  double clip_low = -std::numeric_limits<double>::infinity();
  double clip_high = std::numeric_limits<double>::infinity();

  /// Fails for a policy that is not told a command, because nothing could be varied, or is told it
  /// in several places.
  [[nodiscard]] static Result<CommandSlot> Find(const robot::RobotSpec& robot);

  [[nodiscard]] int size() const { return static_cast<int>(channels.size()); }
  /// The command as the observation holds it.
  [[nodiscard]] Values Encode(const robot::Command& command) const;
  /// Replaces the command of an observation.
  void Write(const robot::Command& command, std::span<float> observation) const;

  /// Whether a channel varied in the data a model was standardised on; if not, the model knows
  /// nothing of it.
  [[nodiscard]] bool Varied(const nn::Standardiser& input, std::size_t channel_slot) const;
};

}  // namespace gonogo::response
