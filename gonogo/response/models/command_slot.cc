// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/command_slot.h"

#include <algorithm>

namespace gonogo::response {

Result<CommandSlot> CommandSlot::Find(const robot::RobotSpec& robot) {
  // The models vary the velocity; other channels stay as the observation has them, at nominal.
  std::size_t first = 0;
  while (first < robot.channels.size() && robot.channels[first].slot != 0) ++first;
  for (std::size_t slot = 0; slot < 3; ++slot) {
    if (first + slot < robot.channels.size() && robot.channels[first + slot].slot == slot) continue;
    return InputError(
        "{}: the models of the responses need the channels of roles vx, vy and wz side by side; "
        "[[command.channel]] has {}",
        robot.file.string(), robot::ChannelNames(robot.channels));
  }
  for (const robot::ObservationTerm& term : robot.observation) {
    if (term.kind != robot::TermKind::kCommand) continue;
    return CommandSlot{
        .offset = robot.TermOffset(robot::TermKind::kCommand) + static_cast<int>(first),
        .scale = {term.scale[first], term.scale[first + 1], term.scale[first + 2]},
        .clip_low = term.clip_low,
        .clip_high = term.clip_high};
  }
  return InputError(
      "{}: the observation has no command term; a policy that takes no command "
      "offers nothing to identify or to adapt",
      robot.file.string());
}

std::array<float, 3> CommandSlot::Encode(const robot::Command& command) const {
  const std::array<double, 3> values{command.vx, command.vy, command.wz};
  std::array<float, 3> encoded{};
  for (std::size_t i = 0; i < 3; ++i) {
    encoded[i] = static_cast<float>(std::clamp(values[i], clip_low, clip_high) * scale[i]);
  }
  return encoded;
}

void CommandSlot::Write(const robot::Command& command, std::span<float> observation) const {
  const std::array<float, 3> encoded = Encode(command);
  std::copy(encoded.begin(), encoded.end(), observation.begin() + offset);
}

}  // namespace gonogo::response
