// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gonogo::robot {

/// What a policy is told to do: a velocity in the body frame, and whatever else it listens to.
struct Command {
  static constexpr std::size_t kMostExtra = 13;

  double vx = 0.0;  ///< forward, m/s
  double vy = 0.0;  ///< left, m/s
  double wz = 0.0;  ///< yaw rate, rad/s
  /// How far every other channel is from its nominal value (command_channel.h): who knows nothing
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

}  // namespace gonogo::robot
