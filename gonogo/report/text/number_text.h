// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/base/number_text.h"

/// The numbers of `gonogo/base/number_text.h` in the look of a page.
namespace gonogo::report {

using gonogo::kNoNumber;

/// 0.0134 → "1.34 %", with a true minus sign.
[[nodiscard]] inline std::string Percent(std::optional<double> fraction, int decimals = 2) {
  return gonogo::Percent(fraction, decimals, kTypesetLook);
}

/// "[−0.30 %, 0.78 %]"
[[nodiscard]] inline std::string PercentInterval(std::optional<double> lower,
                                                 std::optional<double> upper) {
  return gonogo::PercentInterval(lower, upper, 2, kTypesetLook);
}

/// Up to `digits` significant digits, without trailing zeros: 20 → "20", 0.05 → "0.05".
[[nodiscard]] inline std::string Number(std::optional<double> value, int digits = 4) {
  return Significant(value, digits, kTypesetLook);
}

/// A difference of two percentages: 0.0134 → "1.34 points".
[[nodiscard]] inline std::string Points(double fraction) {
  return Decimal(100.0 * fraction, 2, kTypesetLook) + " points";
}

}  // namespace gonogo::report
