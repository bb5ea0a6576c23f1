// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/number_text.h"

#include <cmath>

#include <fmt/format.h>

namespace gonogo {
namespace {

/// Puts the sign of the look before what was formatted without one.
std::string Signed(double value, const std::string& digits, const NumberLook& look) {
  const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
  if (is_zero) return digits;
  return fmt::format("{}{}", value < 0.0 ? look.minus : look.plus, digits);
}

bool IsNumber(std::optional<double> value) { return value.has_value() && std::isfinite(*value); }

std::optional<double> InHundredths(std::optional<double> share) {
  if (!share.has_value()) return std::nullopt;
  return 100.0 * *share;
}

}  // namespace

std::string Decimal(std::optional<double> value, int decimals, const NumberLook& look) {
  if (!IsNumber(value)) return kNoNumber;
  return Signed(*value, fmt::format("{:.{}f}", std::abs(*value), decimals), look);
}

std::string Significant(std::optional<double> value, int digits, const NumberLook& look) {
  if (!IsNumber(value)) return kNoNumber;
  return Signed(*value, fmt::format("{:.{}g}", std::abs(*value), digits), look);
}

std::string Percent(std::optional<double> share, int decimals, const NumberLook& look) {
  if (!IsNumber(share)) return kNoNumber;
  return fmt::format("{}{}%", Decimal(InHundredths(share), decimals, look), look.gap);
}

std::string PercentInterval(std::optional<double> lower, std::optional<double> upper, int decimals,
                            const NumberLook& look) {
  if (!lower.has_value() || !upper.has_value()) return kNoNumber;
  if (look.percent_after_each_bound) {
    return fmt::format("[{}, {}]", Percent(lower, decimals, look), Percent(upper, decimals, look));
  }
  return fmt::format("[{}, {}]{}%", Decimal(InHundredths(lower), decimals, look),
                     Decimal(InHundredths(upper), decimals, look), look.gap);
}

}  // namespace gonogo
