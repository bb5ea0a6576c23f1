// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/shard.h"

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(ShardTest, EveryUnitIsInExactlyOneShard) {
  for (const std::size_t count : {1U, 2U, 7U, 16U}) {
    for (std::size_t unit = 0; unit < 50; ++unit) {
      std::size_t holders = 0;
      for (std::size_t number = 1; number <= count; ++number) {
        holders += Shard{number, count}.Holds(unit) ? 1 : 0;
      }
      EXPECT_EQ(holders, 1U) << unit << " of " << count;
    }
  }
  EXPECT_TRUE((Shard{3, 16}.Holds(18)));
}

TEST(ShardTest, ReadsWhatIsWrittenAndNothingElse) {
  EXPECT_EQ(Shard::Parse("3/16").value(), (Shard{3, 16}));
  for (const char* wrong : {"", "3", "0/4", "5/4", "3/", "/4", "-1/4", "3/4x", "a/b", "1/100001"}) {
    EXPECT_FALSE(Shard::Parse(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace gonogo
