// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/command_channel.h"

#include <algorithm>

namespace gonogo::robot {

std::vector<CommandChannel> VelocityChannels() { return {{"vx", 0}, {"vy", 1}, {"wz", 2}}; }

const CommandChannel* FindChannel(std::span<const CommandChannel> channels, std::string_view name) {
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&](const CommandChannel& c) { return c.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

std::string ChannelNames(std::span<const CommandChannel> channels) {
  std::string names;
  for (const CommandChannel& channel : channels) {
    names += (names.empty() ? "" : ", ") + channel.name;
  }
  return names;
}

}  // namespace gonogo::robot
