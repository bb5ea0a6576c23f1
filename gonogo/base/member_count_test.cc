// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/member_count.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// Not anonymous: clang refuses a conversion that nobody defines to a type that nobody else could
// name.
namespace gonogo::member_count_test {

enum class Colour { kRed };

struct Nothing {};
struct Inner {
  double a = 1.0;
  std::size_t b = 2;
};
struct Outer {
  std::string text = "x";
  std::vector<std::string> texts = {};
  std::vector<Inner> inners = {};
  std::optional<Inner> perhaps = {};
  Inner inner = {};
  Colour colour = Colour::kRed;
  bool flag = true;
  std::uint64_t seed = 1;
};

TEST(MemberCountTest, CountsTheMembersOfAStructAndNotThoseInsideThem) {
  EXPECT_EQ(MemberCount<Nothing>(), 0U);
  EXPECT_EQ(MemberCount<Inner>(), 2U);
  EXPECT_EQ(MemberCount<Outer>(), 8U);
}

}  // namespace gonogo::member_count_test
