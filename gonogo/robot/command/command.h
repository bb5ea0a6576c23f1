// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo::robot {

/// What a policy is told to do: a velocity in the body frame, and whatever else it listens to.
struct Command {
  static constexpr std::size_t kMostExtra = 13;

  double vx = 0.0;  ///< forward, m/s
  double vy = 0.0;  ///< left, m/s
  double wz = 0.0;  ///< yaw rate, rad/s
  /// How far every other channel is from its nominal value (`CommandChannel`): who knows nothing
  /// of them leaves them alone.
  std::array<double, kMostExtra> extra{};

  /// By slot: 0 vx, 1 vy, 2 wz, then the extra ones.
  [[nodiscard]] constexpr double operator[](std::size_t slot) const {
    return slot == 0 ? vx : slot == 1 ? vy : slot == 2 ? wz : extra[slot - 3];
  }
  [[nodiscard]] constexpr double& operator[](std::size_t slot) {
    return slot == 0 ? vx : slot == 1 ? vy : slot == 2 ? wz : extra[slot - 3];
  }

  friend bool operator==(const Command&, const Command&) = default;
};

/// The velocity times `scale`; other channels stay.
[[nodiscard]] constexpr Command operator*(double scale, const Command& command) {
  return {scale * command.vx, scale * command.vy, scale * command.wz, command.extra};
}

/// Commands the policy was made for: low <= command <= high, component by component. Extra
/// channels that a robot does not have are 0 in both.
struct CommandBox {
  Command low{-1.0, -1.0, -1.0};
  Command high{1.0, 1.0, 1.0};

  [[nodiscard]] constexpr Command Clamp(const Command& command) const {
    Command inside{std::clamp(command.vx, low.vx, high.vx), std::clamp(command.vy, low.vy, high.vy),
                   std::clamp(command.wz, low.wz, high.wz)};
    for (std::size_t i = 0; i < Command::kMostExtra; ++i) {
      inside.extra[i] = std::clamp(command.extra[i], low.extra[i], high.extra[i]);
    }
    return inside;
  }
  [[nodiscard]] constexpr bool Contains(const Command& command) const {
    return Clamp(command) == command;
  }
};

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
