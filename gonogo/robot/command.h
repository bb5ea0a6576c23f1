// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace gonogo::robot {

/// What a velocity-conditioned policy is told to do, in the body frame.
struct Command {
  double vx = 0.0;  ///< forward, m/s
  double vy = 0.0;  ///< left, m/s
  double wz = 0.0;  ///< yaw rate, rad/s

  friend bool operator==(const Command&, const Command&) = default;
};

/// `scale * command`, component by component.
[[nodiscard]] constexpr Command operator*(double scale, const Command& command) {
  return {scale * command.vx, scale * command.vy, scale * command.wz};
}

/// Commands the policy was made for: low <= command <= high, component by component.
struct CommandBox {
  Command low{-1.0, -1.0, -1.0};
  Command high{1.0, 1.0, 1.0};

  [[nodiscard]] constexpr Command Clamp(const Command& command) const {
    return {std::clamp(command.vx, low.vx, high.vx), std::clamp(command.vy, low.vy, high.vy),
            std::clamp(command.wz, low.wz, high.wz)};
  }
  [[nodiscard]] constexpr bool Contains(const Command& command) const {
    return Clamp(command) == command;
  }
};

}  // namespace gonogo::robot
