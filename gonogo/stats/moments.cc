// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/moments.h"

#include <cmath>
#include <numeric>

#include "gonogo/base/check.h"

namespace gonogo::stats {

double Mean(std::span<const double> values) {
  GONOGO_CHECK(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Variance(std::span<const double> values, int ddof) {
  return Covariance(values, values, ddof);
}

double StandardDeviation(std::span<const double> values, int ddof) {
  return std::sqrt(Variance(values, ddof));
}

double Covariance(std::span<const double> x, std::span<const double> y, int ddof) {
  GONOGO_CHECK(x.size() == y.size());
  const double divisor = static_cast<double>(x.size()) - ddof;
  if (divisor <= 0.0) return 0.0;
  const double mean_x = Mean(x);
  const double mean_y = Mean(y);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum / divisor;
}

}  // namespace gonogo::stats
