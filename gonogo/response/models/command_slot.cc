// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/command_slot.h"

#include <algorithm>

namespace gonogo::response {

Result<CommandSlot> CommandSlot::Find(const robot::RobotSpec& robot) {
  const robot::ObservationTerm* found = nullptr;
  for (const robot::ObservationTerm& term : robot.observation) {
    if (term.kind != robot::TermKind::kCommand) continue;
    if (found != nullptr) {
      return InputError(
          "{}: the observation holds the command in several places; the models of the responses "
          "replace it in one, so that they need a single command term",
          robot.file.string());
    }
    found = &term;
  }
  if (found == nullptr) {
    return InputError(
        "{}: the observation has no command term; a policy that takes no command "
        "offers nothing to identify or to adapt",
        robot.file.string());
  }
  return CommandSlot{.offset = robot.TermOffset(robot::TermKind::kCommand),
                     .channels = robot.channels,
                     .scale = found->scale,
                     .clip_low = found->clip_low,
                     .clip_high = found->clip_high};
}

CommandSlot::Values CommandSlot::Encode(const robot::Command& command) const {
  Values encoded{};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    encoded[i] =
        static_cast<float>(std::clamp(channels[i].Of(command), clip_low, clip_high) * scale[i]);
  }
  return encoded;
}

void CommandSlot::Write(const robot::Command& command, std::span<float> observation) const {
  const Values encoded = Encode(command);
  std::copy_n(encoded.begin(), channels.size(), observation.begin() + offset);
}

bool CommandSlot::Varied(const nn::Standardiser& input, std::size_t channel_slot) const {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].slot != channel_slot) continue;
    // Numbers that never change are given a scale of exactly 1.
    return input.scale[static_cast<std::size_t>(offset) + i] != 1.0;
  }
  return false;
}

}  // namespace gonogo::response
