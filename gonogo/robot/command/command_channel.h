// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/robot/command/command.h"

namespace gonogo::robot {

/// One number of a command, as `robot.toml` names it and the policy sees it.
struct CommandChannel {
  static constexpr std::size_t kMostCandidates = 16;  ///< of all channels of a robot

  std::string name;
  std::size_t slot = 0;  ///< of `Command`: 0 vx, 1 vy, 2 wz, from 3 on an extra one
  /// What an extra channel is when nobody asks for anything else; velocities have 0.
  double nominal = 0.0;
  std::vector<double> candidates = {};  ///< values an identified controller may try; not velocities

  [[nodiscard]] bool is_velocity() const { return slot < 3; }
  /// Its value in a command, as the policy is told it.
  [[nodiscard]] double Of(const Command& command) const {
    return is_velocity() ? command[slot] : nominal + command[slot];
  }
  void Set(Command& command, double value) const {
    command[slot] = is_velocity() ? value : value - nominal;
  }

  bool operator==(const CommandChannel&) const = default;
};

/// The velocity alone: vx, vy, wz.
[[nodiscard]] std::vector<CommandChannel> VelocityChannels();

/// The channel of a name, or null.
[[nodiscard]] const CommandChannel* FindChannel(std::span<const CommandChannel> channels,
                                                std::string_view name);

/// Names in the order of the policy, separated by commas.
[[nodiscard]] std::string ChannelNames(std::span<const CommandChannel> channels);

}  // namespace gonogo::robot
