// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/dates.h"

#include <gtest/gtest.h>

namespace gonogo::audit::internal {
namespace {

TEST(DatesTest, CountsDaysSinceTheYear2000) {
  EXPECT_EQ(ParseDate("2000-01-01")->days, 0.0);
  EXPECT_EQ(ParseDate("2000-03-01")->days, 60.0);  // 2000 was a leap year
  EXPECT_EQ(ParseDate("1999-12-31")->days, -1.0);
  EXPECT_EQ(ParseDate("2000-01-01")->weekday, 6.0);  // a Saturday
  EXPECT_FALSE(ParseDate("2000-01-01")->has_time);
}

TEST(DatesTest, ReadsTheTimeOfDayAndTakesOffWhatTheClockWasAhead) {
  EXPECT_EQ(ParseDate("2000-01-02T12:00")->days, 1.5);
  EXPECT_EQ(ParseDate("2000-01-02 06:30:00.000Z")->hour, 6.5);
  EXPECT_EQ(ParseDate("2000-01-02T00:30+01:00")->days, 1.0 - 0.5 / 24.0);
  EXPECT_EQ(ParseDate("2000-01-02T00:30+01:00")->weekday, 6.0);
  EXPECT_EQ(ParseDate("2000-01-01T23:30-0100")->hour, 0.5);
}

TEST(DatesTest, RefusesWhatIsNoDateOrCouldBeTwo) {
  for (const char* text : {"", "2000", "03/04/24", "03.04.2024", "2001-02-29", "2000-13-01",
                           "2000-01-01T25:00", "2000-01-01T", "2000-01-01 12:00 noon", "20000101",
                           "2000-01-01T12:00:60", "2000-01-01T12:00+"}) {
    EXPECT_FALSE(ParseDate(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace gonogo::audit::internal
