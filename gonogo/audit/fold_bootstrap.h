// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "gonogo/audit/estimands.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// Intervals of the ratios whose sums were resampled.
struct FoldIntervals {
  stats::Interval h_total;
  stats::Interval h_alloc;
  stats::Interval h_dep;
  stats::Interval q;
};

/// Sums over folds, fold k counted `counts[k]` times.
[[nodiscard]] ComparatorSums WeightedSums(std::span<const ComparatorSums> folds,
                                          std::span<const std::uint32_t> counts);

/// Resamples whole folds `replicates` times with replacement and takes ratios of the resampled
/// sums. The choices stay as they are: right for an adapter that is already fixed; for a selector
/// fitted on these folds it leaves learner-refit uncertainty out.
[[nodiscard]] FoldIntervals BootstrapFolds(std::span<const ComparatorSums> folds,
                                           std::size_t replicates, double level,
                                           const RngStream& stream);

}  // namespace gonogo::audit
