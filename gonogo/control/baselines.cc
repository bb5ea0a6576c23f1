// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/baselines.h"

#include <algorithm>
#include <numbers>

namespace gonogo::control {

CommandDecision Direct::Decide(const Situation& now) {
  const robot::Command command = Command(now.goal_B);
  return {.command = command, .reason = Reason::kDirect, .towards = command, .gain = 0.0};
}

Result<FixedScale> FixedScale::Create(double scale, const robot::RobotSpec& robot) {
  if (!(scale > 0.0 && scale <= 2.0)) return UsageError("scale is {}, expected (0, 2]", scale);
  return FixedScale(scale, robot);
}

CommandDecision FixedScale::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const robot::Command scaled = direct_.box().Clamp(scale_ * direct);
  return {.command = scaled, .reason = Reason::kScaled, .towards = scaled, .gain = 1.0};
}

Status Validate(const GovernorConfig& config) {
  if (!(config.height_least >= 0.0 && config.height_least < config.height_full &&
        config.height_full <= 2.0)) {
    return UsageError(
        "governor.height_least is {} and governor.height_full {}, expected 0 <= least < full <= 2 "
        "(shares of the nominal height)",
        config.height_least, config.height_full);
  }
  if (!(config.tilt_full_rad >= 0.0 && config.tilt_full_rad < config.tilt_least_rad &&
        config.tilt_least_rad <= std::numbers::pi)) {
    return UsageError(
        "governor.tilt_full is {} and governor.tilt_least {}, expected 0 <= full < least <= pi "
        "(radians)",
        config.tilt_full_rad, config.tilt_least_rad);
  }
  if (!(config.least_scale > 0.0 && config.least_scale <= 1.0)) {
    return UsageError("governor.least_scale is {}, expected (0, 1]", config.least_scale);
  }
  return {};
}

Result<Governor> Governor::Create(const GovernorConfig& config, const robot::RobotSpec& robot) {
  GONOGO_TRY(Validate(config));
  if (!(robot.posture.nominal_height_m > 0.0)) {
    return InputError("{}: posture.nominal_height is {}, expected a positive height",
                      robot.file.string(), robot.posture.nominal_height_m);
  }
  return Governor(config, robot);
}

CommandDecision Governor::Decide(const Situation& now) {
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
