// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/leg.h"

#include <algorithm>
#include <cmath>

namespace gonogo::train {
namespace {

// A straight or fully folded leg is singular; keep this far away from either.
constexpr double kReachMargin = 1e-3;

double ShankLength(const LegGeometry& leg) { return std::hypot(leg.shank, leg.foot_forward); }

// Knee angle at which the foot is straight below the knee.
double ShankLean(const LegGeometry& leg) { return std::atan2(leg.foot_forward, leg.shank); }

}  // namespace

Eigen::Vector3d FootPosition(const LegGeometry& leg, const LegAngles& q) {
  const double shank = ShankLength(leg);
  const double shank_angle = q[1] + q[2] - ShankLean(leg);
  const double x = -leg.thigh * std::sin(q[1]) - shank * std::sin(shank_angle);
  const double down = leg.thigh * std::cos(q[1]) + shank * std::cos(shank_angle);
  const double c = std::cos(q[0]);
  const double s = std::sin(q[0]);
  return {x, c * leg.lateral + s * down, s * leg.lateral - c * down};
}

LegAngles SolveLeg(const LegGeometry& leg, const Eigen::Vector3d& foot) {
  const double shank = ShankLength(leg);
  const double radial = foot.y() * foot.y() + foot.z() * foot.z() - leg.lateral * leg.lateral;
  const double down = std::sqrt(std::max(radial, kReachMargin * kReachMargin));
  const double abduction = std::atan2(foot.y(), -foot.z()) - std::atan2(leg.lateral, down);
  const double reach =
      std::clamp(std::hypot(foot.x(), down), std::abs(leg.thigh - shank) + kReachMargin,
                 leg.thigh + shank - kReachMargin);
  const double cos_knee =
      (reach * reach - leg.thigh * leg.thigh - shank * shank) / (2.0 * leg.thigh * shank);
  const double knee = leg.knee_sign * std::acos(std::clamp(cos_knee, -1.0, 1.0));
  const double bend = std::atan2(shank * std::sin(knee), leg.thigh + shank * std::cos(knee));
  return {abduction, std::atan2(-foot.x(), down) - bend, knee + ShankLean(leg)};
}

Eigen::Vector3d PressTorque(const LegGeometry& leg, const LegAngles& q, double force) {
  const Eigen::Vector3d foot = FootPosition(leg, q);
  const double knee_x = -leg.thigh * std::sin(q[1]);
  // The hip axes turn with the abduction angle: a vertical force acts on them through its part in
  // the leg plane.
  const double in_plane = std::cos(q[0]);
  return force * Eigen::Vector3d(-foot.y(), foot.x() * in_plane, (foot.x() - knee_x) * in_plane);
}

}  // namespace gonogo::train
