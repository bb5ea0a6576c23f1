// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/target.h"

#include <cmath>
#include <numbers>

namespace gonogo::robot {

double Distance(Point2 a, Point2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

double WrapAngle(double angle) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const double wrapped = std::fmod(angle + std::numbers::pi, kTurn);
  return (wrapped < 0.0 ? wrapped + kTurn : wrapped) - std::numbers::pi;
}

Point2 TargetInWorld(const Pose2& start, Point2 target_S) {
  const double c = std::cos(start.yaw);
  const double s = std::sin(start.yaw);
  return {start.p_W.x + c * target_S.x - s * target_S.y,
          start.p_W.y + s * target_S.x + c * target_S.y};
}

Point2 GoalInBody(const Pose2& robot, Point2 target_W) {
  const double c = std::cos(robot.yaw);
  const double s = std::sin(robot.yaw);
  const double dx = target_W.x - robot.p_W.x;
  const double dy = target_W.y - robot.p_W.y;
  return {c * dx + s * dy, -s * dx + c * dy};
}

Command DirectCommand(Point2 goal_B, const DirectGains& gains, const CommandBox& box) {
  return box.Clamp(
      {gains.k_v * goal_B.x, gains.k_v * goal_B.y, gains.k_psi * std::atan2(goal_B.y, goal_B.x)});
}

}  // namespace gonogo::robot
