// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/direct.h"

namespace gonogo::control {

Decision Direct::Decide(const Situation& now) {
  const robot::Command command = Command(now.goal_B);
  return {.command = command, .reason = Reason::kDirect, .towards = command, .gain = 0.0};
}

}  // namespace gonogo::control
