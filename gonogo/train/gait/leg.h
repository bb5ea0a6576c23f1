// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace gonogo::train {

/// A three-joint leg: abduction about x, then hip and knee about y. At zero angles the thigh hangs
/// straight down, the foot `shank` below the knee and `foot_forward` ahead of it, and all frames
/// are parallel to the base.
struct LegGeometry {
  Eigen::Vector2d hip_B = Eigen::Vector2d::Zero();  ///< abduction axis in the base frame [m]
  double lateral = 0.0;     ///< abduction axis to leg plane, left positive [m]
  double thigh = 0.0;       ///< hip to knee [m]
  double shank = 0.0;       ///< knee to foot, down [m]
  double knee_sign = -1.0;  ///< side to which the knee bends: sign of its angle from a straight leg
  double foot_forward = 0.0;  ///< knee to foot, forward [m]
};

/// Joint angles (abduction, hip, knee) in radians.
using LegAngles = Eigen::Vector3d;

/// Foot position relative to the abduction axis, in base axes.
[[nodiscard]] Eigen::Vector3d FootPosition(const LegGeometry& leg, const LegAngles& q);

/// Angles that put the foot at `foot`; a position out of reach is first pulled into reach, so that
/// the answer is always finite.
[[nodiscard]] LegAngles SolveLeg(const LegGeometry& leg, const Eigen::Vector3d& foot);

/// Joint torques that make the foot press straight down (base axes) with `force` newtons.
[[nodiscard]] Eigen::Vector3d PressTorque(const LegGeometry& leg, const LegAngles& q, double force);

}  // namespace gonogo::train
