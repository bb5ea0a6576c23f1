// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/calibrated/rule.h"
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::calibrate {

/// The decision rules compared on the same refits.
enum class Rule : std::size_t {
  kPaper,       ///< out-of-bag percentile intervals
  kCalibrated,  ///< as `audit::AuditCalibrated` does by default
  kContenders,  ///< the same with H_dep against every contending reference
};
inline constexpr std::array kRules = {Rule::kPaper, Rule::kCalibrated, Rule::kContenders};
[[nodiscard]] std::string_view Name(Rule rule);

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

/// The paper's rule: percentiles of the estimands over replicates, each with the cheapest
/// admissible action of its training clusters and the mixture within clusters. `halves` random
/// halves give the flip rate.
[[nodiscard]] RuleOutcome ApplyPaperRule(const audit::OutcomeTotals& totals,
                                         std::span<const audit::Refit> replicates,
                                         const audit::Thresholds& thresholds, double level,
                                         std::size_t halves, const RngStream& stream);

/// The bounds of a calibrated audit; a missing gain is the whole line.
[[nodiscard]] RuleOutcome Summarise(const audit::CalibratedAudit& audit);

}  // namespace gonogo::calibrate
