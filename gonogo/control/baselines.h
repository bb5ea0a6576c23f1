// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/base/result.h"
#include "gonogo/control/controller.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// The proportional command towards the goal (Eq. 1): the baseline, and what every other controller
/// falls back to.
class Direct : public Controller {
 public:
  explicit Direct(const robot::RobotSpec& robot) : gains_(robot.direct), box_(robot.command_box) {}

  CommandDecision Decide(const Situation& now) override;
  [[nodiscard]] robot::Command Command(robot::Point2 goal_B) const {
    return robot::DirectCommand(goal_B, gains_, box_);
  }
  [[nodiscard]] const robot::CommandBox& box() const { return box_; }

 private:
  robot::DirectGains gains_;
  robot::CommandBox box_;
};

/// The direct command times a constant, inside the command box: the open-loop way to save energy.
class FixedScale : public Controller {
 public:
  /// `scale` must be in (0, 2].
  [[nodiscard]] static Result<FixedScale> Create(double scale, const robot::RobotSpec& robot);

  CommandDecision Decide(const Situation& now) override;

 private:
  FixedScale(double scale, const robot::RobotSpec& robot) : direct_(robot), scale_(scale) {}

  Direct direct_;
  double scale_;
};

/// Between "full" and "least", the command shrinks linearly with the worse of the two measurements.
/// The paper does not state its governor's constants; these are ours, declared here.
struct GovernorConfig {
  double height_full = 1.0;    ///< share of nominal height from which the command is untouched
  double height_least = 0.80;  ///< share at and below which it is scaled by `least_scale`
  double tilt_full_rad = 0.05;
  double tilt_least_rad = 0.30;
  double least_scale = 0.4;
};

/// Fails on values outside their ranges, naming them as `governor.<key>`.
[[nodiscard]] Status Validate(const GovernorConfig& config);

/// Scales the direct command down when measured height or tilt degrade. Knows no model.
class Governor : public Controller {
 public:
  [[nodiscard]] static Result<Governor> Create(const GovernorConfig& config,
                                               const robot::RobotSpec& robot);

  CommandDecision Decide(const Situation& now) override;

 private:
  Governor(const GovernorConfig& config, const robot::RobotSpec& robot)
      : direct_(robot), config_(config), nominal_height_m_(robot.posture.nominal_height_m) {}

  Direct direct_;
  GovernorConfig config_;
  double nominal_height_m_;
};

}  // namespace gonogo::control
