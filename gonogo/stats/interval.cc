// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::stats {

double Quantile(std::span<const double> sorted, double p) {
  GONOGO_CHECK(!sorted.empty());
  GONOGO_CHECK(p >= 0.0 && p <= 1.0);
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  const double low = sorted[below];
  // An infinite order statistic must not become NaN through inf - inf.
  if (fraction == 0.0 || !std::isfinite(low)) return low;
  return low + (sorted[below + 1] - low) * fraction;
}

Interval PercentileInterval(std::span<const double> values, double level) {
  GONOGO_CHECK(level > 0.0 && level < 1.0);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double tail = (1.0 - level) / 2.0;
  return {.lower = Quantile(sorted, tail), .upper = Quantile(sorted, 1.0 - tail)};
}

}  // namespace gonogo::stats
