// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::audit {

/// One-sided error of a bound that GO rests on: all channels have to hold, so each may use it all.
[[nodiscard]] double SatisfyingAlpha(double level);

/// The same for NO-GO, for which any of three channels is enough: a third each.
[[nodiscard]] double RefutingAlpha(double level);

/// Quantiles of Student's t that turn a standard error over `clusters` into bounds; zero with fewer
/// than two clusters.
struct BoundWidths {
  double go = 0.0;
  double refute = 0.0;
};
[[nodiscard]] BoundWidths StudentWidths(std::size_t clusters, double level);

}  // namespace gonogo::audit
