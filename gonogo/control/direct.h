// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/control/controller.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// The proportional command towards the goal (Eq. 1): the baseline, and what every other controller
/// falls back to.
class Direct : public Controller {
 public:
  explicit Direct(const robot::RobotSpec& robot) : gains_(robot.direct), box_(robot.command_box) {}

  Decision Decide(const Situation& now) override;
  [[nodiscard]] robot::Command Command(robot::Point2 goal_B) const {
    return robot::DirectCommand(goal_B, gains_, box_);
  }
  [[nodiscard]] const robot::CommandBox& box() const { return box_; }

 private:
  robot::DirectGains gains_;
  robot::CommandBox box_;
};

}  // namespace gonogo::control
