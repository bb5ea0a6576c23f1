// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gonogo/robot/command/command.h"

namespace gonogo::robot {

/// A channel of the command that says how fast a gait phase runs.
struct CommandedFrequency {
  std::size_t slot = 0;  ///< of `Command`
  double nominal = 0.0;  ///< Hz, to which the command adds
  double least = 0.0;    ///< Hz: commands may ask for no less

  [[nodiscard]] double At(const Command& command) const {
    return std::max(least, nominal + command[slot]);
  }
  bool operator==(const CommandedFrequency&) const = default;
};

/// How fast a gait phase runs. With `period_s` alone it is a clock; with the other members its
/// frequency follows the command, and it rests when the robot is told to stand. The norm of a
/// command takes m/s and rad/s alike: sqrt(vx^2 + vy^2 + wz^2).
struct Cadence {
  double period_s = 0.0;       ///< from the norm `full_speed` upwards
  double slow_period_s = 0.0;  ///< towards a norm of zero; 0 = `period_s` at any norm
  double full_speed = 1.0;
  double rest_below = 0.0;  ///< norm below which the phase rests; 0 = never
  std::optional<CommandedFrequency> frequency = {};  ///< instead of the periods

  /// Whether the phase is a state that commands drive, and not the clock.
  [[nodiscard]] bool follows_command() const {
    return slow_period_s > 0.0 || rest_below > 0.0 || frequency.has_value();
  }
  [[nodiscard]] bool Rests(const Command& command) const;
  /// Seconds per turn under a command. The frequency is linear in the norm.
  [[nodiscard]] double PeriodAt(const Command& command) const;
  /// The phase (share of a turn, in [0, 1)) after `dt_s` under a command; 0 while it rests, so that
  /// every walk begins where a standing robot left off.
  [[nodiscard]] double Advance(double phase, const Command& command, double dt_s) const;

  bool operator==(const Cadence&) const = default;
};

}  // namespace gonogo::robot
