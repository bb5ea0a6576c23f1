// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/command.h"

namespace gonogo::robot {
namespace {

double Norm(const Command& command) { return std::hypot(command.vx, command.vy, command.wz); }

}  // namespace

bool Cadence::Rests(const Command& command) const { return Norm(command) < rest_below; }

double Cadence::PeriodAt(const Command& command) const {
  if (frequency) return 1.0 / frequency->At(command);
  if (slow_period_s <= 0.0) return period_s;
  const double share = std::clamp(Norm(command) / full_speed, 0.0, 1.0);
  return 1.0 / ((1.0 - share) / slow_period_s + share / period_s);
}

double Cadence::Advance(double phase, const Command& command, double dt_s) const {
  if (Rests(command)) return 0.0;
  const double turned = phase + dt_s / PeriodAt(command);
  return turned - std::floor(turned);
}

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
