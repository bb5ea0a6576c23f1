// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/names.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace gonogo::audit::internal {
namespace {

TEST(FitsPatternTest, AStarStandsForAnyText) {
  EXPECT_TRUE(FitsPattern("obs_*", "obs_12"));
  EXPECT_TRUE(FitsPattern("obs_*", "obs_"));
  EXPECT_TRUE(FitsPattern("*_x", "target_x_x"));
  EXPECT_TRUE(FitsPattern("a*b*c", "a1b2b3c"));
  EXPECT_TRUE(FitsPattern("*", ""));
  EXPECT_FALSE(FitsPattern("obs_*", "xobs_1"));
  EXPECT_FALSE(FitsPattern("a*b*c", "a1c2b"));
  EXPECT_FALSE(FitsPattern("exact", "exactly"));
}

TEST(NaturalLessTest, ComparesDigitsAsNumbers) {
  std::vector<std::string> names = {"c10", "c2", "c1", "b", "c02", "", "10", "9", "c1x"};
  std::sort(names.begin(), names.end(), NaturalLess);
  EXPECT_EQ(names, (std::vector<std::string>{"", "9", "10", "b", "c1", "c1x", "c02", "c2", "c10"}));
}

TEST(NaturalLessTest, IsAStrictOrder) {
  const std::vector<std::string> names = {"1", "01", "a", "a1", "a01", "a1b", "\xff", "a10"};
  for (const std::string& a : names) {
    EXPECT_FALSE(NaturalLess(a, a));
    for (const std::string& b : names) {
      if (a != b) {
        EXPECT_NE(NaturalLess(a, b), NaturalLess(b, a)) << a << " and " << b;
      }
    }
  }
}

TEST(NameIndexTest, NumbersTextsInOrderOfAppearance) {
  NameIndex index;
  EXPECT_EQ(index.Number("b"), 0U);
  EXPECT_EQ(index.Number("a"), 1U);
  EXPECT_EQ(index.Number("b"), 0U);
  for (int i = 0; i < 1000; ++i) (void)index.Number(std::to_string(i));
  EXPECT_EQ(index.names()[1], "a");
}

}  // namespace
}  // namespace gonogo::audit::internal
