// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/trot.h"

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
double AttitudeShift(const TrotConfig& config, const Eigen::Vector2d& foot_B,
                     const TrotState& state) {
  const double pitch = std::atan2(state.gravity_B.x(), -state.gravity_B.z());
  const double roll = std::atan2(-state.gravity_B.y(), -state.gravity_B.z());
  const double level = foot_B.x() * pitch - foot_B.y() * roll;
  const double rate = foot_B.x() * state.omega_B.y() - foot_B.y() * state.omega_B.x();
  return -level - config.attitude_rate_gain_s * rate;
}

}  // namespace

bool InStance(const TrotConfig& config, const TrotLeg& leg, double phase) {
  return LegPhase(leg, phase) < config.stance_share;
}

double SwingHeight(const TrotConfig& config, const robot::Command& command) {
  return config.swing_channel ? config.swing_channel->Of(command) : config.swing_height_m;
}

Eigen::Vector3d TrotFoot(const TrotConfig& config, const TrotLeg& leg, const TrotState& state) {
  const LegGeometry& geometry = leg.geometry;
  const Eigen::Vector2d stand_B = geometry.hip_B + Eigen::Vector2d(leg.home_m, 0.0);
  const Eigen::Vector2d turn = state.command.z() * Eigen::Vector2d(-stand_B.y(), stand_B.x());
  const Eigen::Vector2d velocity = state.command.head<2>() + turn;
  const Eigen::Vector2d reach =
      velocity * (0.5 * config.stance_share * config.period_s);  // half a stance stroke
  const Eigen::Vector2d correction =
      config.velocity_gain_s * (state.velocity_B.head<2>() - state.command.head<2>());
  const Eigen::Vector2d home = Eigen::Vector2d(leg.home_m, geometry.lateral) + config.trim_m;

  const double phase = LegPhase(leg, state.phase);
  Eigen::Vector3d foot;
  if (phase < config.stance_share) {
    const double progress = phase / config.stance_share;
    foot.head<2>() = home + reach * (1.0 - 2.0 * progress) + correction * (1.0 - progress);
    foot.z() = -config.stand_height_m + AttitudeShift(config, stand_B, state);
  } else {
    const double progress = (phase - config.stance_share) / (1.0 - config.stance_share);
    const double eased = 0.5 - 0.5 * std::cos(std::numbers::pi * progress);
    foot.head<2>() = home + reach * (2.0 * eased - 1.0) + correction * eased;
    foot.z() =
        -config.stand_height_m + config.swing_height_m * std::sin(std::numbers::pi * progress);
  }
  return foot;
}

namespace {

// Torque that moves the joints along the reference: damping always, inertia while the leg swings.
Eigen::Vector3d MotionTorque(const TrotConfig& config, const TrotLeg& leg, const TrotState& state) {
  constexpr double kStep = 0.01;  // s
  constexpr double kEdge = 1e-9;
  const double step = kStep / config.period_s;
  const double phase = LegPhase(leg, state.phase);
  const bool stance = phase < config.stance_share;
  // Touch-down and lift-off are corners of the reference: look at one side of them only.
  const double low = stance ? 0.0 : config.stance_share;
  const double high = stance ? config.stance_share : 1.0;
  const double middle = std::clamp(phase, low + step, std::max(high - step - kEdge, low + step));
  const auto angles = [&](double at) {
    TrotState moved = state;
    moved.phase = at - leg.phase;
    return SolveLeg(leg.geometry, TrotFoot(config, leg, moved));
  };
  const LegAngles before = angles(middle - step);
  const LegAngles after = angles(middle + step);
  Eigen::Vector3d torque = config.damping_nms * (after - before) / (2.0 * kStep);
  if (!stance) {
    const Eigen::Vector3d acceleration = (after - 2.0 * angles(middle) + before) / (kStep * kStep);
    torque += config.inertia_kgm2.cwiseProduct(acceleration);
  }
  return torque;
}

}  // namespace

void TrotTargets(const TrotConfig& config, const TrotState& state, std::span<float> targets) {
  GONOGO_CHECK(targets.size() == 3 * config.legs.size());
  const double feet_on_ground = 0.5 * static_cast<double>(config.legs.size());
  TrotState ahead = state;
  ahead.phase += config.lead_s / config.period_s;
  for (const TrotLeg& leg : config.legs) {
    const LegAngles q = SolveLeg(leg.geometry, TrotFoot(config, leg, ahead));
    Eigen::Vector3d torque = MotionTorque(config, leg, ahead);
    const double phase = LegPhase(leg, ahead.phase);
    if (phase < config.stance_share) {
      const double force = config.press_share * config.weight_n / feet_on_ground *
                           StanceLoad(phase / config.stance_share);
      torque += PressTorque(leg.geometry, q, force);
    }
    for (int i = 0; i < 3; ++i) {
      targets[leg.joints[i]] = static_cast<float>(q[i] + torque[i] / config.stiffness_nm);
    }
  }
}

void StandTargets(const TrotConfig& config, std::span<float> targets) {
  GONOGO_CHECK(targets.size() == 3 * config.legs.size());
  const double force =
      config.press_share * config.weight_n / static_cast<double>(config.legs.size());
  for (const TrotLeg& leg : config.legs) {
    Eigen::Vector3d foot;
    foot.head<2>() = Eigen::Vector2d(leg.home_m, leg.geometry.lateral) + config.trim_m;
    foot.z() = -config.stand_height_m;
    const LegAngles q = SolveLeg(leg.geometry, foot);
    const Eigen::Vector3d torque = PressTorque(leg.geometry, q, force);
    for (int i = 0; i < 3; ++i) {
      targets[leg.joints[i]] = static_cast<float>(q[i] + torque[i] / config.stiffness_nm);
    }
  }
}

}  // namespace gonogo::train
