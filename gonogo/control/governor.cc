// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/governor.h"

#include <algorithm>

namespace gonogo::control {

Result<Governor> Governor::Create(const GovernorConfig& config, const robot::RobotSpec& robot) {
  if (!(config.height_least < config.height_full)) {
    return UsageError("governor.height_least is {}, expected less than governor.height_full = {}",
                      config.height_least, config.height_full);
  }
  if (!(config.tilt_least_rad > config.tilt_full_rad && config.tilt_full_rad >= 0.0)) {
    return UsageError("governor.tilt_least is {}, expected more than governor.tilt_full = {}",
                      config.tilt_least_rad, config.tilt_full_rad);
  }
  if (!(config.least_scale > 0.0 && config.least_scale <= 1.0)) {
    return UsageError("governor.least_scale is {}, expected (0, 1]", config.least_scale);
  }
  if (!(robot.posture.nominal_height_m > 0.0)) {
    return InputError("{}: posture.nominal_height is {}, expected a positive height",
                      robot.file.string(), robot.posture.nominal_height_m);
  }
  return Governor(config, robot);
}

Decision Governor::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const double height = (now.height_m / nominal_height_m_ - config_.height_least) /
                        (config_.height_full - config_.height_least);
  const double tilt =
      (config_.tilt_least_rad - now.tilt_rad) / (config_.tilt_least_rad - config_.tilt_full_rad);
  const double health = std::min(height, tilt);
  if (health >= 1.0) return {.command = direct, .reason = Reason::kDirect, .towards = direct};
  const double scale = config_.least_scale + (1.0 - config_.least_scale) * std::max(health, 0.0);
  const robot::Command scaled = scale * direct;
  return {.command = scaled, .reason = Reason::kGoverned, .towards = scaled, .gain = 1.0};
}

}  // namespace gonogo::control
