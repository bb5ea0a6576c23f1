// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/words.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(WordsTest, JoinsAsASentenceDoes) {
  EXPECT_EQ(JoinWords({}), "");
  EXPECT_EQ(JoinWords({"a"}), "a");
  EXPECT_EQ(JoinWords({"a", "b"}), "a and b");
  EXPECT_EQ(JoinWords({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(JoinWords({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(WordsTest, KnowsOneFromMany) {
  EXPECT_EQ(Counted(1, "cluster"), "1 cluster");
  EXPECT_EQ(Counted(0, "cluster"), "0 clusters");
  EXPECT_EQ(Counted(2, "query", "queries"), "2 queries");
}

}  // namespace
}  // namespace gonogo::report
