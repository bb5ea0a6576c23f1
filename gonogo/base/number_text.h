// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Numbers as a person reads them. Every module prints through these, so that terminal, page and
/// tables round alike.
namespace gonogo {

/// What is shown where there is no number.
inline constexpr const char* kNoNumber = "–";

/// How a number is set; the defaults are what every terminal can show.
struct NumberLook {
  std::string_view minus = "-";
  std::string_view plus = "";             ///< before a number above zero
  std::string_view gap = " ";             ///< before a percent sign
  bool percent_after_each_bound = false;  ///< "[1 %, 2 %]" instead of "[1, 2] %"
};

/// As a typesetter sets it: a true minus sign, and a space that is narrow and does not break.
inline constexpr NumberLook kTypesetLook{
    .minus = "−", .gap = "\u202f", .percent_after_each_bound = true};

/// 1.344 → "1.34". A number that rounds to zero has no sign; `kNoNumber` for nothing or a value
/// that is not finite.
[[nodiscard]] std::string Decimal(std::optional<double> value, int decimals,
                                  const NumberLook& look = {});

/// Up to `digits` significant digits, without trailing zeros: 20 → "20", 0.05 → "0.05".
[[nodiscard]] std::string Significant(std::optional<double> value, int digits,
                                      const NumberLook& look = {});

/// A share in percent: 0.0134 → "1.34 %".
[[nodiscard]] std::string Percent(std::optional<double> share, int decimals = 2,
                                  const NumberLook& look = {});

/// Two shares in percent: "[0.63, 2.03] %"; `kNoNumber` when a bound is missing.
[[nodiscard]] std::string PercentInterval(std::optional<double> lower, std::optional<double> upper,
                                          int decimals = 2, const NumberLook& look = {});

}  // namespace gonogo
