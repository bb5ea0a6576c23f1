// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace gonogo::report::internal {

struct Bin {
  double from = 0.0;
  double to = 0.0;
  int count = 0;
};

/// Counts values in equal bins of which one edge is `edge`, so that no bin mixes its two sides.
/// A value on an edge belongs to the bin below it, as a violation rate equal to its limit is
/// within it. At most `max_bins` + 1 bins, and none narrower than 1/60 of the span that holds the
/// values and the edge, so that each can be seen. Values that are not finite are left out.
[[nodiscard]] std::vector<Bin> CountInBins(std::span<const double> values, double edge,
                                           int max_bins);

}  // namespace gonogo::report::internal
