// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/json_access.h"

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

TEST(CountAtTest, TakesOnlyNumbersThatCountSomething) {
  const Json object = Json::parse(R"({"three": 3, "less": -1, "half": 0.5, "huge": 1e300,
                                      "largest": 18446744073709551615, "beyond": 18446744073709551616,
                                      "text": "3"})");
  EXPECT_EQ(CountAt(object, "three"), 3U);
  EXPECT_EQ(CountAt(object, "largest"), 18446744073709551615U);
  for (const char* key : {"less", "half", "huge", "beyond", "text", "absent"}) {
    EXPECT_FALSE(CountAt(object, key).has_value()) << key;
  }
}

TEST(DisplayTest, ShowsWholeNumbersAsTheyAre) {
  EXPECT_EQ(Display(Json::parse("18446744073709551615")), "18446744073709551615");
  EXPECT_EQ(Display(Json::parse("-7")), "-7");
}

}  // namespace
}  // namespace gonogo::report::internal
