// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/cells.h"

#include <fmt/format.h>

#include "gonogo/base/number_text.h"

namespace gonogo::paper {
namespace {

constexpr NumberLook kSignedLook{.minus = kTypesetLook.minus, .plus = "+", .gap = kTypesetLook.gap};

}  // namespace

std::string Fixed(std::optional<double> value, int decimals) {
  return Decimal(value, decimals, kTypesetLook);
}

std::string Signed(std::optional<double> value, int decimals) {
  return Decimal(value, decimals, kSignedLook);
}

std::string SignedPercent(std::optional<double> fraction, int decimals) {
  return gonogo::Percent(fraction, decimals, kSignedLook);
}

std::string WithInterval(double value, const stats::Interval& interval, int decimals) {
  return fmt::format("{} [{}, {}]", Fixed(value, decimals), Fixed(interval.lower, decimals),
                     Fixed(interval.upper, decimals));
}

std::string TextOrNone(const std::optional<std::string>& text) { return text.value_or(kNoNumber); }

std::string TextOrBlank(const std::optional<std::string>& text) { return text.value_or(""); }

std::vector<report::Column> Columns(const std::vector<std::string>& titles) {
  std::vector<report::Column> columns;
  for (const std::string& title : titles) {
    columns.push_back(
        {title, columns.empty() ? report::ColumnKind::kText : report::ColumnKind::kNumber});
  }
  return columns;
}

std::string Percent(double share) { return Decimal(100.0 * share, 2); }

std::string WithInterval(const audit::Estimate& estimate) {
  if (!estimate.interval) return Percent(estimate.point);
  return fmt::format("{} [{}, {}]", Percent(estimate.point), Percent(estimate.interval->lower),
                     Percent(estimate.interval->upper));
}

}  // namespace gonogo::paper
