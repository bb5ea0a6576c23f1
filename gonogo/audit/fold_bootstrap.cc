// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/fold_bootstrap.h"

#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::audit {

ComparatorSums WeightedSums(std::span<const ComparatorSums> folds,
                            std::span<const std::uint32_t> counts) {
  GONOGO_CHECK(folds.size() == counts.size());
  ComparatorSums sums;
  for (std::size_t k = 0; k < folds.size(); ++k) sums.Add(folds[k], counts[k]);
  return sums;
}

FoldIntervals BootstrapFolds(std::span<const ComparatorSums> folds, std::size_t replicates,
                             double level, const RngStream& stream) {
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
    const ComparatorSums sums = WeightedSums(folds, counts);
    h_total[b] = sums.h_total();
    h_alloc[b] = sums.h_alloc();
    h_dep[b] = sums.h_dep();
    q[b] = sums.q();
  }
  return {.h_total = stats::PercentileInterval(h_total, level),
          .h_alloc = stats::PercentileInterval(h_alloc, level),
          .h_dep = stats::PercentileInterval(h_dep, level),
          .q = stats::PercentileInterval(q, level)};
}

}  // namespace gonogo::audit
