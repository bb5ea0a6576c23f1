// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {

/// The verdict under other thresholds (docs/concepts/audit.md, 12).
struct SensitivityCell {
  double delta = 0.0;  ///< delta_dep = delta_alloc
  double kappa = 0.0;
  Verdict verdict = Verdict::kAbstain;
};

/// The held-out clusters of a refit with the fixed reference its training clusters choose under
/// `kappa`.
[[nodiscard]] std::vector<HeldOutCluster> AssignReference(const OutcomeTotals& totals,
                                                          const Refit& refit, double kappa);

/// Estimands of every bootstrap replicate under `kappa`, in order.
[[nodiscard]] std::vector<Estimands> EvaluateReplicates(const OutcomeTotals& totals,
                                                        std::span<const Refit> replicates,
                                                        double kappa, Mixture mixture);

/// The verdict over a grid of thresholds, delta outer. `bounds` are those of a rule under a kappa,
/// with the fixed reference that it chooses; nothing is refitted.
[[nodiscard]] std::vector<SensitivityCell> ThresholdSensitivity(
    std::span<const double> deltas, std::span<const double> kappas,
    const std::function<RuleBounds(double kappa)>& bounds);

}  // namespace gonogo::audit
