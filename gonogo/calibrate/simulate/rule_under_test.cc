// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/rule_under_test.h"

namespace gonogo::calibrate {

std::string_view Name(RuleUnderTest rule) {
  switch (rule) {
    case RuleUnderTest::kPaper:
      return "paper";
    case RuleUnderTest::kCalibrated:
      return "calibrated";
    case RuleUnderTest::kLeavePairOut:
      return "leave-pair-out";
    case RuleUnderTest::kContenders:
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

audit::DecisionRule KindOf(RuleUnderTest rule) {
  if (rule == RuleUnderTest::kLeavePairOut) return audit::DecisionRule::kLeavePairOut;
  return rule == RuleUnderTest::kPaper ? audit::DecisionRule::kPaper
                                       : audit::DecisionRule::kCalibrated;
}

RuleOutcome OutcomeOf(const audit::RuleAnswer& answer) {
  return {.verdict = answer.decision.verdict,
          .interval = {answer.bounds.deployment.interval, answer.bounds.allocation.interval,
                       answer.bounds.violation.interval, answer.bounds.total.interval},
          .flip_rate = answer.flip_rate};
}

}  // namespace gonogo::calibrate
