// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/rules.h"

namespace gonogo::calibrate {

std::string_view Name(Rule rule) {
  switch (rule) {
    case Rule::kPaper:
      return "paper";
    case Rule::kCalibrated:
      return "calibrated";
    case Rule::kLeavePairOut:
      return "leave-pair-out";
    case Rule::kContenders:
      break;
  }
  return "contenders";
}

std::string_view Name(Quantity quantity) {
  switch (quantity) {
    case Quantity::kDeployment:
      return "H_dep";
    case Quantity::kAllocation:
      return "H_alloc";
    case Quantity::kViolation:
      return "q";
    case Quantity::kTotal:
      break;
  }
  return "H_total";
}

audit::DecisionRule KindOf(Rule rule) {
  if (rule == Rule::kLeavePairOut) return audit::DecisionRule::kLeavePairOut;
  return rule == Rule::kPaper ? audit::DecisionRule::kPaper : audit::DecisionRule::kCalibrated;
}

RuleOutcome Summarise(const audit::RuleAnswer& answer) {
  return {.verdict = answer.decision.verdict,
          .interval = {answer.bounds.deployment.interval, answer.bounds.allocation.interval,
                       answer.bounds.violation.interval, answer.bounds.total.interval},
          .flip_rate = answer.flip_rate};
}

}  // namespace gonogo::calibrate
