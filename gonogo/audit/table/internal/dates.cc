// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/dates.h"

#include <charconv>
#include <chrono>
#include <cmath>

namespace gonogo::audit::internal {
namespace {

/// Takes text from the front, piece by piece.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : left_(text) {}

  [[nodiscard]] bool done() const { return left_.empty(); }
  bool Skip(std::string_view one_of) {
    if (left_.empty() || one_of.find(left_.front()) == std::string_view::npos) return false;
    left_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] char next() const { return left_.empty() ? '\0' : left_.front(); }
  /// A whole number of exactly so many digits, at most `most`.
  std::optional<int> Digits(std::size_t count, int most) {
    int value = 0;
    if (left_.size() < count) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      if (left_[i] < '0' || left_[i] > '9') return std::nullopt;
      value = 10 * value + (left_[i] - '0');
    }
    left_.remove_prefix(count);
    return value <= most ? std::optional(value) : std::nullopt;
  }
  /// Digits after a point.
  double Fraction() {
    double value = 0.0;
    for (double unit = 0.1; !left_.empty() && left_.front() >= '0' && left_.front() <= '9';
         unit /= 10.0) {
      value += unit * (left_.front() - '0');
      left_.remove_prefix(1);
    }
    return value;
  }

 private:
  std::string_view left_;
};

/// Seconds since midnight.
std::optional<double> ReadClock(Pieces& pieces) {
  const auto hour = pieces.Digits(2, 23);
  if (!hour || !pieces.Skip(":")) return std::nullopt;
  const auto minute = pieces.Digits(2, 59);
  if (!minute) return std::nullopt;
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (!pieces.Skip(":")) return seconds;
  const auto second = pieces.Digits(2, 59);
  if (!second) return std::nullopt;
  seconds += *second;
  if (pieces.Skip(".")) seconds += pieces.Fraction();
  return seconds;
}

/// Seconds by which the clock was ahead of UTC.
std::optional<double> ReadZone(Pieces& pieces) {
  if (pieces.Skip("Zz")) return 0.0;
  const double sign = pieces.next() == '-' ? -1.0 : 1.0;
  if (!pieces.Skip("+-")) return std::nullopt;
  const auto hours = pieces.Digits(2, 23);
  if (!hours) return std::nullopt;
  if (pieces.done()) return sign * 3600.0 * *hours;
  pieces.Skip(":");
  const auto minutes = pieces.Digits(2, 59);
  if (!minutes) return std::nullopt;
  return sign * (3600.0 * *hours + 60.0 * *minutes);
}

}  // namespace

std::optional<DateParts> ParseDate(std::string_view text) {
  Pieces pieces(text);
  const auto year = pieces.Digits(4, 9999);
  if (!year || !pieces.Skip("-")) return std::nullopt;
  const auto month = pieces.Digits(2, 12);
  if (!month || !pieces.Skip("-")) return std::nullopt;
  const auto day = pieces.Digits(2, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  DateParts parts;
  double seconds = 0.0;
  if (!pieces.done()) {
    parts.has_time = true;
    if (!pieces.Skip("T ")) return std::nullopt;
    const auto clock = ReadClock(pieces);
    if (!clock) return std::nullopt;
    const auto zone = pieces.done() ? std::optional(0.0) : ReadZone(pieces);
    if (!zone || !pieces.done()) return std::nullopt;
    seconds = *clock - *zone;
  }
  using std::chrono::sys_days;
  constexpr double kSecondsOfDay = 86400.0;
  const sys_days first(std::chrono::year_month_day(std::chrono::year(2000), std::chrono::January,
                                                   std::chrono::day(1)));
  const auto shift = static_cast<int>(std::floor(seconds / kSecondsOfDay));
  const sys_days own = sys_days(date) + std::chrono::days(shift);
  seconds -= kSecondsOfDay * shift;
  parts.days = static_cast<double>((own - first).count()) + seconds / kSecondsOfDay;
  parts.weekday = static_cast<double>(std::chrono::weekday(own).iso_encoding());
  parts.hour = seconds / 3600.0;
  return parts;
}

}  // namespace gonogo::audit::internal
