// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/charts/histogram.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::report::internal {

std::vector<Bin> CountInBins(std::span<const double> values, double edge, int max_bins) {
  GONOGO_CHECK(max_bins > 0);
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.empty()) return {};
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double span = std::max(*high, edge) - std::min(*low, edge);
  const double width = span > 0.0 ? std::max((*high - *low) / max_bins, span / 60.0) : 1.0;
  // Numbers so far apart, or so close together, that no width tells them apart.
  if (!std::isfinite(span) || !(width > 0.0)) {
    return {Bin{.from = *low, .to = *high, .count = static_cast<int>(finite.size())}};
  }
  // Bin i covers (edge + (i - 1) width, edge + i width].
  const auto index = [&](double value) { return std::ceil((value - edge) / width); };
  const double first = index(*low);
  std::vector<Bin> bins(static_cast<std::size_t>(index(*high) - first) + 1);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double top = first + static_cast<double>(i);
    bins[i] = {.from = edge + (top - 1.0) * width, .to = edge + top * width};
  }
  for (const double value : finite) ++bins[static_cast<std::size_t>(index(value) - first)].count;
  return bins;
}

}  // namespace gonogo::report::internal
