// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gonogo::stats {

/// A closed interval [lower, upper].
struct Interval {
  double lower = 0.0;
  double upper = 0.0;

  [[nodiscard]] double width() const { return upper - lower; }
  bool operator==(const Interval&) const = default;
};

/// Sample quantile with linear interpolation between order statistics ("type 7", the default of R
/// and NumPy). `sorted` must be ascending and not empty, `p` in [0, 1].
[[nodiscard]] double Quantile(std::span<const double> sorted, double p);

/// The central interval holding `level` of the values, both ends by `Quantile`. `values` may come
/// in any order, must not be empty; `level` in (0, 1). The paper's intervals
/// (docs/concepts/intervals.md).
[[nodiscard]] Interval PercentileInterval(std::span<const double> values, double level);

}  // namespace gonogo::stats
