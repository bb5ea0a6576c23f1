// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/stats/interval.h"

/// Numbers as the paper's tables print them; "–" for what the paper does not print.
namespace gonogo::paper {

[[nodiscard]] std::string Fixed(std::optional<double> value, int decimals = 3);
/// With its sign: "+0.012".
[[nodiscard]] std::string Signed(std::optional<double> value, int decimals = 3);
/// A relative change with its sign: −0.105 → "−10.5 %".
[[nodiscard]] std::string SignedPercent(std::optional<double> fraction, int decimals = 1);
/// "0.797 [0.760, 0.835]".
[[nodiscard]] std::string WithInterval(double value, const stats::Interval& interval,
                                       int decimals = 3);

/// A share in percent, without the sign: 0.0123 → "1.23".
[[nodiscard]] std::string Percent(double share);
/// In percent: "0.60 [-0.18, 1.22]".
[[nodiscard]] std::string WithInterval(const audit::Estimate& estimate);

/// What the paper prints, or "–".
[[nodiscard]] std::string TextOrNone(const std::optional<std::string>& text);
/// What the paper prints, or nothing.
[[nodiscard]] std::string TextOrBlank(const std::optional<std::string>& text);

/// A text column, then number columns.
[[nodiscard]] std::vector<report::Column> Columns(const std::vector<std::string>& titles);

}  // namespace gonogo::paper
