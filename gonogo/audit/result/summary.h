// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// A result that so far says only what is audited.
[[nodiscard]] AuditResult StartResult(const OutcomeTable& table, const Protocol& protocol);

/// Point estimates, folds and actions from `result.cross_fit`.
void AddPointEstimates(const PotentialOutcomes& outcomes, AuditResult& result);

/// Replicates from `result.bootstrap`, and the intervals that the paper's rule makes of them.
void AddReplicates(const PotentialOutcomes& outcomes, const RuleBounds& paper, AuditResult& result);

/// The threshold sensitivity over the default grid with the declared thresholds in it; `bounds` are
/// those of the declared rule.
void AddSensitivity(const std::function<RuleBounds(double kappa)>& bounds, AuditResult& result);

}  // namespace gonogo::audit
