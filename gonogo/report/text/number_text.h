// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace gonogo::report {

/// What a page shows where there is no number.
inline constexpr const char* kNoNumber = "–";

/// 0.0134 → "1.34 %", with a true minus sign; "–" for nothing or a value that is not finite.
[[nodiscard]] std::string Percent(std::optional<double> fraction, int decimals = 2);

/// A difference of two percentages: 0.0134 → "1.34 points".
[[nodiscard]] std::string Points(double fraction);

/// "[−0.30 %, 0.78 %]"; "–" when a bound is missing.
[[nodiscard]] std::string PercentInterval(std::optional<double> lower, std::optional<double> upper);

/// Up to `digits` significant digits, without trailing zeros: 20 → "20", 0.05 → "0.05".
[[nodiscard]] std::string Number(std::optional<double> value, int digits = 4);

}  // namespace gonogo::report
