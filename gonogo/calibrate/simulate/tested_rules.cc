// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/tested_rules.h"

#include "gonogo/audit/rules/rule.h"

namespace gonogo::calibrate {

std::string_view Name(RuleUnderTest rule) {
  constexpr std::array<std::string_view, kRules.size()> kNames = {"paper", "calibrated",
                                                                  "contenders", "leave-pair-out"};
  return kNames.at(static_cast<std::size_t>(rule));
}

std::string_view Name(Quantity quantity) {
  constexpr std::array<std::string_view, kQuantities.size()> kNames = {"H_dep", "H_alloc", "q",
                                                                       "H_total"};
  return kNames.at(static_cast<std::size_t>(quantity));
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
