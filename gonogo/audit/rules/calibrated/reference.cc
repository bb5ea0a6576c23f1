// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {

ActionIndex SelectStableAction(const OutcomeTotals& totals,
                               std::span<const std::uint32_t> multiplicity, double kappa) {
  const ActionIndex best = SelectFixedAction(totals, multiplicity, kappa);
  if (best == kDirect) return kDirect;
  const double drawn = std::accumulate(multiplicity.begin(), multiplicity.end(), 0.0);
  const auto gain = [&](std::size_t k) {
    const auto row = static_cast<Eigen::Index>(k);
    return totals.cost(row, kDirect) - totals.cost(row, best);
  };
  double sum = 0.0;
  for (std::size_t k = 0; k < multiplicity.size(); ++k) sum += multiplicity[k] * gain(k);
  double squares = 0.0;
  for (std::size_t k = 0; k < multiplicity.size(); ++k) {
    const double deviation = gain(k) - sum / drawn;
    squares += multiplicity[k] * deviation * deviation;
  }
  if (drawn < 2.0) return best;
  return sum > std::sqrt(squares * drawn / (drawn - 1.0)) ? best : kDirect;
}

ReferenceStability SelectReferences(const OutcomeTotals& totals, std::span<const Refit> refits,
                                    double kappa, double contending_share) {
  GONOGO_CHECK(!refits.empty());
  ReferenceStability stability;
  stability.share.assign(static_cast<std::size_t>(totals.cost.cols()), 0.0);
  const std::vector<std::uint32_t> everything(totals.queries.size(), 1);
  stability.shipped = SelectStableAction(totals, everything, kappa);
  for (const Refit& refit : refits) {
    const std::vector<std::uint32_t>& trained = refit.split.multiplicity;
    const bool fitted = std::any_of(trained.begin(), trained.end(), [](auto n) { return n > 0; });
    const ActionIndex reference =
        fitted ? SelectStableAction(totals, trained, kappa) : stability.shipped;
    stability.per_replicate.push_back(reference);
    stability.share[reference] += 1.0 / static_cast<double>(refits.size());
  }
  const auto modal = std::max_element(stability.share.begin(), stability.share.end());
  stability.modal = static_cast<ActionIndex>(modal - stability.share.begin());
  stability.modal_share = *modal;
  for (ActionIndex action = 0; action < stability.share.size(); ++action) {
    if (stability.share[action] >= contending_share) stability.contenders.push_back(action);
  }
  return stability;
}

}  // namespace gonogo::audit
