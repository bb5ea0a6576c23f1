// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/widths.h"

#include "gonogo/stats/distributions.h"

namespace gonogo::audit {

double SatisfyingAlpha(double level) { return (1.0 - level) / 2.0; }

double RefutingAlpha(double level) {
  constexpr double kUnion = 3.0;  // channels any of which is enough for NO-GO
  return SatisfyingAlpha(level) / kUnion;
}

BoundWidths StudentWidths(std::size_t clusters, double level) {
  if (clusters < 2) return {};
  const auto degrees = static_cast<double>(clusters - 1);
  return {stats::StudentTQuantile(1.0 - SatisfyingAlpha(level), degrees),
          stats::StudentTQuantile(1.0 - RefutingAlpha(level), degrees)};
}

}  // namespace gonogo::audit
