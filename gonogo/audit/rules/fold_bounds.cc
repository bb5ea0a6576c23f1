// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/fold_bounds.h"

#include "gonogo/audit/rules/sensitivity.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kFoldReplicates = 100'000;

}  // namespace

RuleBounds FoldBounds::Under(double kappa) {
  std::vector<ActionIndex> references;
  std::vector<ComparatorSums> sums;
  for (const Refit& fold : folds_) {
    const HeldOutCluster held = AssignReference(totals_, fold, kappa).front();
    references.push_back(held.reference);
    sums.push_back(SumCluster(totals_, held));
  }
  const auto [known, is_new] = known_.try_emplace(std::move(references));
  if (is_new) {
    known->second = BootstrapFolds(sums, kFoldReplicates, bootstrap_.level, bootstrap_.aggregate,
                                   RngStream(bootstrap_.seed).Child("folds"));
  }
  const FoldIntervals& intervals = known->second;
  const std::vector<std::uint32_t> once(sums.size(), 1);
  const FoldGains points = CombineFolds(sums, once, bootstrap_.aggregate);
  return {.deployment = GainBounds(points.h_dep, intervals.h_dep),
          .allocation = GainBounds(points.h_alloc, intervals.h_alloc),
          .violation = RateBounds(points.q, intervals.q),
          .total = GainBounds(points.h_total, intervals.h_total)};
}

}  // namespace gonogo::audit
