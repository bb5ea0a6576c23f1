// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/chosen_reference.h"

#include "gonogo/audit/rules/calibrated/reference.h"

namespace gonogo::audit {

PairChannel AgainstChosen(const OutcomeTotals& totals, const PairFits& fits, double kappa,
                          double adapter_cost) {
  const std::size_t clusters = totals.queries.size();
  const auto none = Eigen::ArrayXd::Zero(static_cast<Eigen::Index>(clusters));
  Eigen::ArrayXd chosen = none;
  Eigen::ArrayXd reference = none;
  Eigen::ArrayXd times = none;
  std::vector<std::array<double, 2>> chosen_cost;
  std::vector<std::array<double, 2>> reference_cost;
  for (const Refit& fit : fits.pairs) {
    const ActionIndex action = SelectStableAction(totals, fit.split.multiplicity, kappa);
    chosen_cost.push_back({});
    reference_cost.push_back({});
    for (std::size_t i = 0; i < 2; ++i) {
      const auto k = static_cast<Eigen::Index>(fit.held_out[i].cluster);
      chosen_cost.back()[i] = PolicyCost(fit.held_out[i]) +
                              AdapterCharge(totals, fit.held_out[i].cluster, adapter_cost);
      reference_cost.back()[i] = totals.cost(k, action);
      chosen[k] += chosen_cost.back()[i];
      reference[k] += reference_cost.back()[i];
      times[k] += 1.0;
    }
  }
  double chosen_sum = 0.0;
  double reference_sum = 0.0;
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    chosen[k] /= times[k];
    reference[k] /= times[k];
    chosen_sum += chosen[k];
    reference_sum += reference[k];
  }
  const double ratio = chosen_sum / reference_sum;
  const double factor = -static_cast<double>(clusters) / reference_sum;
  PairChannel channel{.point = 1.0 - ratio};
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    channel.score.push_back(factor * (chosen[k] - ratio * reference[k]));
  }
  for (std::size_t b = 0; b < chosen_cost.size(); ++b) {
    const auto value = [&](std::size_t i) {
      return factor * (chosen_cost[b][i] - ratio * reference_cost[b][i]);
    };
    channel.value.push_back({value(0), value(1)});
  }
  return channel;
}

}  // namespace gonogo::audit
