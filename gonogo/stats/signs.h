// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gonogo::stats {

/// Two-sided exact p value of the hypothesis that a difference is as often above as below zero.
/// Zero differences are left out; 1 when none is left.
[[nodiscard]] double SignTest(std::span<const double> differences);

}  // namespace gonogo::stats
