// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gonogo/audit/protocol/rule_config.h"
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {

/// How likely each answer is at a later look, as far as this one can tell.
struct LookChance {
  std::size_t clusters = 0;  ///< of the later look
  double go = 0.0;
  double no_go = 0.0;

  bool operator==(const LookChance&) const = default;
};

/// The chances at every declared look (`rule.looks_at`) with more clusters than this one has.
///
/// A bound lies so many quantiles of Student's t from its estimate: that gives a standard error s
/// at K clusters. With K' clusters it is s sqrt(K / K'), and the estimate, as predicted from what
/// is known now without any other opinion of it, is normal around today's with variance s^2 (1 - K
/// / K'). A GO needs every channel, so its chance is at most that of the least likely one; a NO-GO
/// needs one, so its chance is at least that of the likeliest. These limits are what is returned.
/// The learner is taken to gain nothing from more clusters. `bounds` are those at the level that
/// this look may spend out of `level`.
[[nodiscard]] std::vector<LookChance> LookAhead(const RuleBounds& bounds,
                                                const Thresholds& thresholds,
                                                const RuleConfig& rule, double level,
                                                std::size_t clusters);

/// Whether no later look is likely enough to say GO (`rule.futility`). Nothing is spent on this and
/// nothing gained: whoever goes on all the same errs no more often. False where no look follows.
[[nodiscard]] bool IsFutile(std::span<const LookChance> later, const RuleConfig& rule);

}  // namespace gonogo::audit
