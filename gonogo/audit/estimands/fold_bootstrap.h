// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// The gains and the violation rate of several folds together.
struct FoldGains {
  double h_total = 0.0;
  double h_alloc = 0.0;
  double h_dep = 0.0;
  double q = 0.0;
};

/// Fold k counts `counts[k]` times.
[[nodiscard]] FoldGains CombineFolds(std::span<const ComparatorSums> folds,
                                     std::span<const std::uint32_t> counts, Aggregate aggregate);

/// Intervals of the gains when folds are resampled.
struct FoldIntervals {
  stats::Interval h_total;
  stats::Interval h_alloc;
  stats::Interval h_dep;
  stats::Interval q;
};

/// Resamples whole folds `replicates` times with replacement and combines them. The choices stay as
/// they are: right for an adapter that is already fixed; for a selector fitted on these folds it
/// leaves learner-refit uncertainty out (docs/concepts/intervals.md, archived).
[[nodiscard]] FoldIntervals BootstrapFolds(std::span<const ComparatorSums> folds,
                                           std::size_t replicates, double level,
                                           Aggregate aggregate, const RngStream& stream);

}  // namespace gonogo::audit
