// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/sensitivity.h"

#include "gonogo/audit/estimands/estimands.h"

namespace gonogo::audit {

std::vector<HeldOutCluster> AssignReference(const OutcomeTotals& totals, const Refit& refit,
                                            double kappa) {
  const ActionIndex reference = SelectFixedAction(totals, refit.split.multiplicity, kappa);
  std::vector<HeldOutCluster> held_out;
  for (const ChoiceTotals& choices : refit.held_out) held_out.push_back({&choices, reference});
  return held_out;
}

std::vector<Estimands> EvaluateReplicates(const OutcomeTotals& totals,
                                          std::span<const Refit> replicates, double kappa,
                                          Mixture mixture) {
  std::vector<Estimands> estimands;
  estimands.reserve(replicates.size());
  for (const Refit& refit : replicates) {
    estimands.push_back(Evaluate(totals, AssignReference(totals, refit, kappa), kappa, mixture));
  }
  return estimands;
}

std::vector<SensitivityCell> ThresholdSensitivity(
    std::span<const double> deltas, std::span<const double> kappas,
    const std::function<RuleBounds(double kappa)>& bounds) {
  std::vector<RuleBounds> under;
  for (const double kappa : kappas) under.push_back(bounds(kappa));
  std::vector<SensitivityCell> cells;
  for (const double delta : deltas) {
    for (std::size_t i = 0; i < kappas.size(); ++i) {
      const Thresholds thresholds{.delta_dep = delta, .delta_alloc = delta, .kappa = kappas[i]};
      cells.push_back({delta, kappas[i], Decide(under[i], thresholds).verdict});
    }
  }
  return cells;
}

}  // namespace gonogo::audit
