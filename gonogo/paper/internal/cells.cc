// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/internal/cells.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/report/text/number_text.h"

namespace gonogo::paper::internal {
namespace {

constexpr const char* kMinus = "−";

/// A number that rounds to zero has no sign.
std::string WithSign(double value, int decimals, const char* plus) {
  std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  if (digits.find_first_not_of("0.") == std::string::npos) return digits;
  return fmt::format("{}{}", value < 0.0 ? kMinus : plus, digits);
}

}  // namespace

std::string Fixed(std::optional<double> value, int decimals) {
  return value && std::isfinite(*value) ? WithSign(*value, decimals, "") : report::kNoNumber;
}

std::string Signed(std::optional<double> value, int decimals) {
  return value && std::isfinite(*value) ? WithSign(*value, decimals, "+") : report::kNoNumber;
}

std::string SignedPercent(std::optional<double> fraction, int decimals) {
  if (!fraction || !std::isfinite(*fraction)) return report::kNoNumber;
  return WithSign(100.0 * *fraction, decimals, "+") + "\u202f%";
}

std::string WithInterval(double value, const stats::Interval& interval, int decimals) {
  return fmt::format("{} [{}, {}]", Fixed(value, decimals), Fixed(interval.lower, decimals),
                     Fixed(interval.upper, decimals));
}

std::vector<report::Column> Columns(const std::vector<std::string>& titles) {
  std::vector<report::Column> columns;
  for (const std::string& title : titles) {
    columns.push_back(
        {title, columns.empty() ? report::ColumnKind::kText : report::ColumnKind::kNumber});
  }
  return columns;
}

std::string Percent(double share) { return fmt::format("{:.2f}", 100.0 * share + 0.0); }

std::string WithInterval(const audit::Estimate& estimate) {
  if (!estimate.interval) return Percent(estimate.point);
  return fmt::format("{} [{}, {}]", Percent(estimate.point), Percent(estimate.interval->lower),
                     Percent(estimate.interval->upper));
}

}  // namespace gonogo::paper::internal
