// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/robot/command/command.h"

namespace gonogo::robot {

/// A point on the ground plane, metres.
struct Point2 {
  double x = 0.0;
  double y = 0.0;

  friend bool operator==(const Point2&, const Point2&) = default;
};

/// Where the robot stands and looks: position of its root in the world and its yaw in radians.
struct Pose2 {
  Point2 p_W;
  double yaw = 0.0;
};

[[nodiscard]] double Distance(Point2 a, Point2 b);

/// The angle wrapped to [-pi, pi).
[[nodiscard]] double WrapAngle(double angle);

/// A target given relative to the start pose, expressed in the world.
[[nodiscard]] Point2 TargetInWorld(const Pose2& start, Point2 target_S);

/// A world point seen from the robot: x forward, y left.
[[nodiscard]] Point2 GoalInBody(const Pose2& robot, Point2 target_W);

/// Gains of the direct controller.
struct DirectGains {
  double k_v = 1.0;    ///< 1/s, distance to speed
  double k_psi = 1.0;  ///< 1/s, bearing to yaw rate
};

/// The proportional command towards a body-frame goal, clipped to the box: the uncompensated
/// baseline (Eq. 1 of the paper).
[[nodiscard]] Command DirectCommand(Point2 goal_B, const DirectGains& gains, const CommandBox& box);

}  // namespace gonogo::robot
