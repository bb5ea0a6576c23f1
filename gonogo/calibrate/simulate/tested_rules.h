// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "gonogo/audit/rules/verdict.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {
struct RuleAnswer;
}

namespace gonogo::calibrate {

/// The decision rules compared on the same refits.
enum class RuleUnderTest : std::size_t {
  kPaper,         ///< out-of-bag percentile intervals
  kCalibrated,    ///< the audit's default
  kContenders,    ///< the same with H_dep against every contending reference
  kLeavePairOut,  ///< fits without pairs of clusters
};
inline constexpr std::array kRules = {RuleUnderTest::kPaper, RuleUnderTest::kCalibrated,
                                      RuleUnderTest::kContenders, RuleUnderTest::kLeavePairOut};
[[nodiscard]] std::string_view Name(RuleUnderTest rule);

/// The quantities a rule puts intervals on.
enum class Quantity : std::size_t { kDeployment, kAllocation, kViolation, kTotal };
inline constexpr std::array kQuantities = {Quantity::kDeployment, Quantity::kAllocation,
                                           Quantity::kViolation, Quantity::kTotal};
/// "H_dep", "H_alloc", "q" or "H_total".
[[nodiscard]] std::string_view Name(Quantity quantity);

/// What a rule made of one data set. Plain data: a checkpoint stores its bytes.
struct RuleOutcome {
  audit::Verdict verdict = audit::Verdict::kAbstain;
  std::array<stats::Interval, kQuantities.size()> interval = {};
  double flip_rate = 0.0;
};

/// The rule of the audit that is meant; contenders are the calibrated one with another option.
[[nodiscard]] audit::DecisionRule KindOf(RuleUnderTest rule);

/// What a data set's record keeps of an answer.
[[nodiscard]] RuleOutcome OutcomeOf(const audit::RuleAnswer& answer);

}  // namespace gonogo::calibrate
