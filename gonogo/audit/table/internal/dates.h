// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gonogo::audit::internal {

/// A date, or a date and a time of day, as numbers.
struct DateParts {
  double days = 0.0;     ///< since 1 January 2000, 0:00, with the part of the day
  double weekday = 0.0;  ///< Monday 1, ..., Sunday 7
  double hour = 0.0;     ///< of the day, with its part
  bool has_time = false;
};

/// Reads 2024-03-01, or 2024-03-01T12:30, also with a blank for the T, with seconds and with what
/// the clock was ahead of UTC (Z, +01:00), which is taken off. Nothing for any other text: 03/04/24
/// can be read in two ways.
[[nodiscard]] std::optional<DateParts> ParseDate(std::string_view text);

}  // namespace gonogo::audit::internal
