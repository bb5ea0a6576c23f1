// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"

namespace gonogo::response {

/// One state of a logged episode and the control step that left it. The last state of an episode
/// was left by no step: its command, effort and power are zero.
struct LoggedState {
  std::int32_t episode = 0;      ///< unique in a log; an episode's states are consecutive
  robot::Pose2 pose;             ///< of the root
  double height_m = 0.0;         ///< terrain-relative posture height
  double height_W_m = 0.0;       ///< of the root in the world: mixes posture and ground elevation
  double tilt_rad = 0.0;         ///< between the body's and the world's vertical
  double angular_speed = 0.0;    ///< rad/s
  robot::Command command;        ///< given to the policy for the step
  double effort = 0.0;           ///< mean |a qd| of the step
  double power_w = 0.0;          ///< sum over joints of mean |tau qd| of the step
  double control_effort = 0.0;   ///< the same two read once per control step …
  double control_power_w = 0.0;  ///< … (decision 56)
  bool operator==(const LoggedState&) const;
};

/// What a frozen policy did when it was told all sorts of things; good and bad episodes alike.
struct ExcitationLog {
  std::string robot;
  std::uint64_t layout_hash = 0;  ///< robot::RobotSpec::LayoutHash
  double control_dt_s = 0.0;
  int observation_size = 0;
  bool has_control_rate = true;  ///< false in data collected before it was measured
  std::vector<LoggedState> states;
  std::vector<float> observations;  ///< [states x observation_size], made with the state's command

  [[nodiscard]] std::size_t size() const { return states.size(); }
  [[nodiscard]] std::span<const float> observation(std::size_t state) const {
    const auto width = static_cast<std::size_t>(observation_size);
    return std::span(observations).subspan(state * width, width);
  }
};

}  // namespace gonogo::response
