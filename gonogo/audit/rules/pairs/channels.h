// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/pairs/estimate.h"

namespace gonogo::audit {

/// What the leave-pair-out rule reads: the fits without a pair of clusters, and the one on all of
/// them, as `PairTasks` orders them. Must outlive whatever is made of it.
struct PairFits {
  std::span<const Refit> pairs = {};
  const Refit* shipped = nullptr;

  [[nodiscard]] bool empty() const { return pairs.empty() || shipped == nullptr; }
};

/// The last fit is the shipped one.
[[nodiscard]] PairFits SplitPairFits(std::span<const Refit> fits);

[[nodiscard]] PairDesign DesignOf(const OutcomeTotals& totals, const PairFits& fits);

/// 1 - W(pi) / W(action); `adapter_cost` per query is charged to the selector.
[[nodiscard]] PairChannel AgainstFixed(const OutcomeTotals& totals, const PairFits& fits,
                                       ActionIndex action, double adapter_cost);

/// 1 - W(pi) / W(mixture). The mixture of a held-out cluster has the frequencies that the same fit
/// shows in the other cluster of its pair.
[[nodiscard]] PairChannel AgainstMixture(const OutcomeTotals& totals, const PairFits& fits,
                                         double adapter_cost);

/// The violation rate.
[[nodiscard]] PairChannel Violations(const OutcomeTotals& totals, const PairFits& fits);

}  // namespace gonogo::audit
