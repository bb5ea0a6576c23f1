// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"

namespace gonogo::control {

/// The structured set around the direct command (paper, Appendix A): scalings {1, 0.4, 0.6, 0.8,
/// 1.2}; yaw-rate offsets {±0.2, ±0.4}; speeds {0.25, 0.5, 0.75, 1} at headings {0, ±0.3, ±0.6}
/// around the bearing of the goal with {0, 0.5, 1} of the direct yaw rate. Clipped to the box and
/// without duplicates. Then, for channels that are no velocities, the direct command with each of
/// the values their descriptions list. The first candidate is the direct command.
class CandidateSet {
 public:
  static constexpr std::size_t kCapacity =
      5 + 4 + 4 * 5 * 3 + robot::CommandChannel::kMostCandidates;

  CandidateSet(const robot::Command& direct, robot::Point2 goal_B, const robot::CommandBox& box,
               std::span<const robot::CommandChannel> channels = {});

  [[nodiscard]] std::span<const robot::Command> commands() const {
    return std::span(commands_).first(count_);
  }

 private:
  void Add(const robot::Command& clipped);

  std::array<robot::Command, kCapacity> commands_;
  std::size_t count_ = 0;
};

}  // namespace gonogo::control
