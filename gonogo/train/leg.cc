// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/leg.h"

#include <algorithm>
#include <cmath>

namespace gonogo::train {
namespace {

// A straight or fully folded leg is singular; keep this far away from either.
constexpr double kReachMargin = 1e-3;

}  // namespace

Eigen::Vector3d FootPosition(const LegGeometry& leg, const LegAngles& q) {
  const double x = -leg.thigh * std::sin(q[1]) - leg.shank * std::sin(q[1] + q[2]);
  const double down = leg.thigh * std::cos(q[1]) + leg.shank * std::cos(q[1] + q[2]);
  const double c = std::cos(q[0]);
  const double s = std::sin(q[0]);
  return {x, c * leg.lateral + s * down, s * leg.lateral - c * down};
}

LegAngles SolveLeg(const LegGeometry& leg, const Eigen::Vector3d& foot) {
  const double radial = foot.y() * foot.y() + foot.z() * foot.z() - leg.lateral * leg.lateral;
  const double down = std::sqrt(std::max(radial, kReachMargin * kReachMargin));
  const double abduction = std::atan2(foot.y(), -foot.z()) - std::atan2(leg.lateral, down);
  const double reach =
      std::clamp(std::hypot(foot.x(), down), std::abs(leg.thigh - leg.shank) + kReachMargin,
                 leg.thigh + leg.shank - kReachMargin);
  const double cos_knee = (reach * reach - leg.thigh * leg.thigh - leg.shank * leg.shank) /
                          (2.0 * leg.thigh * leg.shank);
  const double knee = leg.knee_sign * std::acos(std::clamp(cos_knee, -1.0, 1.0));
  const double bend =
      std::atan2(leg.shank * std::sin(knee), leg.thigh + leg.shank * std::cos(knee));
  return {abduction, std::atan2(-foot.x(), down) - bend, knee};
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
