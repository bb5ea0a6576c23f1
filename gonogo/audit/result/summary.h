// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// A result that so far says only what is audited.
[[nodiscard]] AuditResult StartResult(const OutcomeTable& table, const Protocol& protocol);

/// Point estimates, folds and actions from `result.cross_fit`.
void AddPointEstimates(const PotentialOutcomes& outcomes, AuditResult& result);

/// Replicates, their intervals and the threshold sensitivity from `result.bootstrap`.
void AddReplicates(const PotentialOutcomes& outcomes, AuditResult& result);

/// The threshold sensitivity over the default grid with the declared thresholds in it.
void AddSensitivity(const std::function<Evidence(double kappa)>& evidence, AuditResult& result);

}  // namespace gonogo::audit
