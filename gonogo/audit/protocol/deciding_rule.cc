// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/deciding_rule.h"

#include <fmt/format.h>

namespace gonogo::audit {
namespace {

constexpr const char* kStandsIn = "The calibrated rule decides in place of leave-pair-out: {}.";

/// Learners that the leave-pair-out rule was tried with (docs/calibration.md).
bool WasTriedWith(LearnerKind learner) {
  switch (learner) {
    case LearnerKind::kRidge:
    case LearnerKind::kTrees:
    case LearnerKind::kMlp:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string WhyNotPairs(const Protocol& protocol, const Circumstances& circumstances) {
  if (protocol.rule.kind != DecisionRule::kLeavePairOut) return "";
  if (protocol.bootstrap.method != IntervalMethod::kRefit) {
    return fmt::format(kStandsIn, "folds are resampled and nothing is fitted again");
  }
  if (circumstances.given) {
    return fmt::format(kStandsIn, "choices that were given cannot be fitted again");
  }
  if (circumstances.of_log) {
    return fmt::format(kStandsIn,
                       "of a log it covers the allocation gain too seldom where nothing is gained");
  }
  if (circumstances.of_values) {
    return fmt::format(kStandsIn,
                       "that rule compares costs only, and here rewards or successes count");
  }
  if (circumstances.clusters < kFewestForPairs) {
    return fmt::format(kStandsIn, fmt::format("that rule needs {} clusters, and there are {}",
                                              kFewestForPairs, circumstances.clusters));
  }
  if (!WasTriedWith(protocol.learner.kind)) {
    return fmt::format(kStandsIn, fmt::format("that rule was not tried with the learner {}",
                                              Name(protocol.learner.kind)));
  }
  return "";
}

DecisionRule DecidingRule(const Protocol& protocol, const Circumstances& circumstances) {
  return WhyNotPairs(protocol, circumstances).empty() ? protocol.rule.kind
                                                      : DecisionRule::kCalibrated;
}

}  // namespace gonogo::audit
