// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gonogo::stats {

/// Quantiles x with Pr[X <= x] = p; p in (0, 1).
[[nodiscard]] double NormalQuantile(double p);
/// Student's t; degrees of freedom > 0.
[[nodiscard]] double StudentTQuantile(double p, double degrees_of_freedom);
/// Beta(a, b); a, b > 0.
[[nodiscard]] double BetaQuantile(double p, double a, double b);

/// Two-sided exact p value of the hypothesis that a difference is as often above as below zero.
/// Zero differences are left out; 1 when none is left.
[[nodiscard]] double SignTest(std::span<const double> differences);

}  // namespace gonogo::stats
