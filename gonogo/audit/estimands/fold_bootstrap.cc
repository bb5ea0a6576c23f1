// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/fold_bootstrap.h"

#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::audit {

FoldGains CombineFolds(std::span<const ComparatorSums> folds, std::span<const std::uint32_t> counts,
                       Aggregate aggregate) {
  GONOGO_CHECK(folds.size() == counts.size());
  if (aggregate == Aggregate::kRatioOfSums) {
    ComparatorSums sums;
    for (std::size_t k = 0; k < folds.size(); ++k) sums.Add(folds[k], counts[k]);
    return {sums.h_total(), sums.h_alloc(), sums.h_dep(), sums.q()};
  }
  FoldGains mean;
  double total = 0.0;
  for (const std::uint32_t count : counts) total += count;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const double weight = counts[k] / total;
    mean.h_total += weight * folds[k].h_total();
    mean.h_alloc += weight * folds[k].h_alloc();
    mean.h_dep += weight * folds[k].h_dep();
    mean.q += weight * folds[k].q();
  }
  return mean;
}

FoldIntervals BootstrapFolds(std::span<const ComparatorSums> folds, std::size_t replicates,
                             double level, Aggregate aggregate, const RngStream& stream) {
  GONOGO_CHECK(!folds.empty() && replicates > 0);
  std::vector<double> h_total(replicates);
  std::vector<double> h_alloc(replicates);
  std::vector<double> h_dep(replicates);
  std::vector<double> q(replicates);
  std::vector<std::uint32_t> counts(folds.size());
  Rng rng = stream.Generator();
  for (std::size_t b = 0; b < replicates; ++b) {
    counts.assign(folds.size(), 0);
    for (std::size_t i = 0; i < folds.size(); ++i) ++counts[rng.Below(folds.size())];
    const FoldGains gains = CombineFolds(folds, counts, aggregate);
    h_total[b] = gains.h_total;
    h_alloc[b] = gains.h_alloc;
    h_dep[b] = gains.h_dep;
    q[b] = gains.q;
  }
  return {.h_total = stats::PercentileInterval(h_total, level),
          .h_alloc = stats::PercentileInterval(h_alloc, level),
          .h_dep = stats::PercentileInterval(h_dep, level),
          .q = stats::PercentileInterval(q, level)};
}

}  // namespace gonogo::audit
