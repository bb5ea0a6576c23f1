// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/fixed_scale.h"

namespace gonogo::control {

Result<FixedScale> FixedScale::Create(double scale, const robot::RobotSpec& robot) {
  if (!(scale > 0.0 && scale <= 2.0)) return UsageError("scale is {}, expected (0, 2]", scale);
  return FixedScale(scale, robot);
}

Decision FixedScale::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const robot::Command scaled = direct_.box().Clamp(scale_ * direct);
  return {.command = scaled, .reason = Reason::kScaled, .towards = scaled, .gain = 1.0};
}

}  // namespace gonogo::control
