// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/number_text.h"

#include <cmath>

#include <fmt/format.h>

namespace gonogo::report {
namespace {

constexpr const char* kMinus = "−";
constexpr const char* kThinSpace = "\u202f";  // narrow and not breaking

/// Replaces the ASCII sign, and drops it from a value that rounds to zero.
std::string WithTrueMinus(std::string text) {
  if (text.empty() || text[0] != '-') return text;
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return (is_zero ? "" : kMinus) + text.substr(1);
}

std::string Scaled(double fraction, int decimals) {
  return WithTrueMinus(fmt::format("{:.{}f}", 100.0 * fraction, decimals));
}

}  // namespace

std::string Percent(std::optional<double> fraction, int decimals) {
  if (!fraction || !std::isfinite(*fraction)) return kNoNumber;
  return Scaled(*fraction, decimals) + kThinSpace + "%";
}

std::string Points(double fraction) { return Scaled(fraction, 2) + " points"; }

std::string PercentInterval(std::optional<double> lower, std::optional<double> upper) {
  if (!lower || !upper) return kNoNumber;
  return fmt::format("[{}, {}]", Percent(lower), Percent(upper));
}

std::string Number(std::optional<double> value, int digits) {
  if (!value || !std::isfinite(*value)) return kNoNumber;
  return WithTrueMinus(fmt::format("{:.{}g}", *value, digits));
}

}  // namespace gonogo::report
