// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gonogo::stats {

/// Arithmetic mean; `values` must not be empty.
[[nodiscard]] double Mean(std::span<const double> values);

/// Sum of squared deviations divided by (n - ddof); 0 when n <= ddof. Two passes.
[[nodiscard]] double Variance(std::span<const double> values, int ddof = 1);
[[nodiscard]] double StandardDeviation(std::span<const double> values, int ddof = 1);

/// Covariance of two samples of the same size with divisor (n - ddof); 0 when n <= ddof.
[[nodiscard]] double Covariance(std::span<const double> x, std::span<const double> y, int ddof = 1);

}  // namespace gonogo::stats
