// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/rules/rule.h"

namespace gonogo::audit {

/// The paper's rule: percentiles of the estimands over the replicates, each against the cheapest
/// admissible action of its own training clusters; points from the folds
/// (docs/concepts/audit.md, 10; docs/concepts/intervals.md). Needs at least one replicate.
[[nodiscard]] RuleAnswer ApplyPaperRule(const RuleEvidence& evidence, const Thresholds& thresholds,
                                        const RuleOptions& options, const RngStream& stream);

}  // namespace gonogo::audit
