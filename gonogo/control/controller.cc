// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/controller.h"

#include "gonogo/base/check.h"

namespace gonogo::control {

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kDirect:
      return "direct";
    case Reason::kScaled:
      return "scaled";
    case Reason::kGoverned:
      return "governed";
    case Reason::kRestore:
      return "restore";
    case Reason::kRescue:
      return "rescue";
    case Reason::kRescueWithout:
      return "rescue without candidate";
    case Reason::kCompensate:
      return "compensate";
    case Reason::kNoneEligible:
      return "none eligible";
    case Reason::kWithinMargin:
      return "within margin";
    case Reason::kPlanned:
      return "planned";
    case Reason::kDirectPlan:
      return "direct plan";
    case Reason::kNoneFeasible:
      return "none feasible";
    case Reason::kRetrieved:
      return "retrieved";
    case Reason::kGateClosed:
      return "gate closed";
    case Reason::kNoneApplicable:
      return "none applicable";
    case Reason::kAdapted:
      return "adapted";
  }
  GONOGO_CHECK(false);
}

bool IsActive(Reason reason) {
  return reason == Reason::kScaled || reason == Reason::kGoverned || reason == Reason::kRescue ||
         reason == Reason::kCompensate || reason == Reason::kPlanned ||
         reason == Reason::kRetrieved || reason == Reason::kAdapted;
}

robot::Command Blend(const robot::Command& direct, const robot::Command& towards, double gain) {
  robot::Command blended{direct.vx + gain * (towards.vx - direct.vx),
                         direct.vy + gain * (towards.vy - direct.vy),
                         direct.wz + gain * (towards.wz - direct.wz)};
  for (std::size_t i = 0; i < robot::Command::kMostExtra; ++i) {
    blended.extra[i] = direct.extra[i] + gain * (towards.extra[i] - direct.extra[i]);
  }
  return blended;
}

}  // namespace gonogo::control
