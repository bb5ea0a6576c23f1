// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gonogo::response {

/// How close predictions came to measurements.
struct RegressionScore {
  double mae = 0.0;
  double rmse = 0.0;
  double r2 = 0.0;  ///< share of the measurements' variance explained; 0 where they do not vary
};

/// Both of the same size, not empty.
[[nodiscard]] RegressionScore ScoreRegression(std::span<const double> predicted,
                                              std::span<const double> measured);

/// Probability that a random positive is scored above a random negative, ties counting half; 0.5
/// when one kind is missing. A label is positive when it is above one half.
[[nodiscard]] double AreaUnderCurve(std::span<const double> scores, std::span<const double> labels);

}  // namespace gonogo::response
