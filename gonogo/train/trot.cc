// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/trot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gonogo/base/check.h"

namespace gonogo::train {
namespace {

// Share of the period since this leg touched down.
double LegPhase(const TrotLeg& leg, double phase) {
  const double shifted = phase + leg.phase;
  return shifted - std::floor(shifted);
}

// 0 at touch-down, 1 over the middle of stance, 0 at lift-off: load is taken over, not switched.
double StanceLoad(double stance_progress) {
  constexpr double kRamp = 1.0 / 6.0;
  return std::clamp(std::min(stance_progress, 1.0 - stance_progress) / kRamp, 0.0, 1.0);
}

// Height change that turns the base back to level, for a foot under (x, y).
double AttitudeShift(const TrotConfig& config, const LegGeometry& leg, const TrotState& state) {
  const double pitch = std::atan2(state.gravity_B.x(), -state.gravity_B.z());
  const double roll = std::atan2(-state.gravity_B.y(), -state.gravity_B.z());
  const double level = leg.hip_B.x() * pitch - leg.hip_B.y() * roll;
  const double rate = leg.hip_B.x() * state.omega_B.y() - leg.hip_B.y() * state.omega_B.x();
  return -level - config.attitude_rate_gain_s * rate;
}

}  // namespace

bool InStance(const TrotConfig& config, const TrotLeg& leg, double phase) {
  return LegPhase(leg, phase) < config.stance_share;
}

Eigen::Vector3d TrotFoot(const TrotConfig& config, const TrotLeg& leg, const TrotState& state) {
  const LegGeometry& geometry = leg.geometry;
  const Eigen::Vector2d turn =
      state.command.z() * Eigen::Vector2d(-geometry.hip_B.y(), geometry.hip_B.x());
  const Eigen::Vector2d velocity = state.command.head<2>() + turn;
  const Eigen::Vector2d reach =
      velocity * (0.5 * config.stance_share * config.period_s);  // half a stance stroke
  const Eigen::Vector2d correction =
      config.velocity_gain_s * (state.velocity_B.head<2>() - state.command.head<2>());
  const Eigen::Vector2d home = Eigen::Vector2d(0.0, geometry.lateral) + config.trim_m;

  const double phase = LegPhase(leg, state.phase);
  Eigen::Vector3d foot;
  if (phase < config.stance_share) {
    const double progress = phase / config.stance_share;
    foot.head<2>() = home + reach * (1.0 - 2.0 * progress) + correction * (1.0 - progress);
    foot.z() = -config.stand_height_m + AttitudeShift(config, geometry, state);
  } else {
    const double progress = (phase - config.stance_share) / (1.0 - config.stance_share);
    const double eased = 0.5 - 0.5 * std::cos(std::numbers::pi * progress);
    foot.head<2>() = home + reach * (2.0 * eased - 1.0) + correction * eased;
    foot.z() =
        -config.stand_height_m + config.swing_height_m * std::sin(std::numbers::pi * progress);
  }
  return foot;
}

void TrotTargets(const TrotConfig& config, const TrotState& state, std::span<float> targets) {
  GONOGO_CHECK(targets.size() == 3 * config.legs.size());
  const double feet_on_ground = 0.5 * static_cast<double>(config.legs.size());
  for (const TrotLeg& leg : config.legs) {
    LegAngles q = SolveLeg(leg.geometry, TrotFoot(config, leg, state));
    const double phase = LegPhase(leg, state.phase);
    if (phase < config.stance_share) {
      const double force = config.press_share * config.weight_n / feet_on_ground *
                           StanceLoad(phase / config.stance_share);
      q += PressTorque(leg.geometry, q, force) / config.stiffness_nm;
    }
    for (int i = 0; i < 3; ++i) targets[leg.joints[i]] = static_cast<float>(q[i]);
  }
}

}  // namespace gonogo::train
