// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/base/result.h"
#include "gonogo/control/direct.h"

namespace gonogo::control {

/// The direct command times a constant, inside the command box: the open-loop way to save energy.
class FixedScale : public Controller {
 public:
  /// `scale` must be in (0, 2].
  [[nodiscard]] static Result<FixedScale> Create(double scale, const robot::RobotSpec& robot);

  Decision Decide(const Situation& now) override;

 private:
  FixedScale(double scale, const robot::RobotSpec& robot) : direct_(robot), scale_(scale) {}

  Direct direct_;
  double scale_;
};

}  // namespace gonogo::control
