// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/text.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(WordsTest, JoinsAsASentenceDoes) {
  EXPECT_EQ(JoinWords(std::vector<std::string>()), "");
  EXPECT_EQ(JoinWords(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(JoinWords(std::vector<std::string>{"a", "b"}), "a and b");
  EXPECT_EQ(JoinWords(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(JoinWords(std::vector<std::string>{"a", "b", "c"}, "or"), "a, b or c");
}

TEST(WordsTest, KnowsOneFromMany) {
  EXPECT_EQ(Counted(1, "cluster"), "1 cluster");
  EXPECT_EQ(Counted(0, "cluster"), "0 clusters");
  EXPECT_EQ(Counted(2, "query", "queries"), "2 queries");
}

TEST(TextTest, KeepsThePlaceOfEveryNumberThroughASentence) {
  const Text gain("1.20 %", "1.20\u202f%", "/gain");
  const Text limit("-3 %", "−3\u202f%", "/limit");
  const Text text = Say("It saves {} ({}).", gain, limit + " at least");
  EXPECT_EQ(text.plain, "It saves 1.20 % (-3 % at least).");
  EXPECT_EQ(text.typeset(), "It saves 1.20\u202f% (−3\u202f% at least).");
  ASSERT_EQ(text.marks.size(), 2U);
  EXPECT_EQ(text.marks[1].from, "/limit");
  EXPECT_EQ(text.plain.substr(text.marks[1].begin, text.marks[1].size), "-3 %");
}

TEST(TextTest, CapitalisesASentenceButNotTheNameOfAKey) {
  EXPECT_EQ(Capitalised("the table is small").plain, "The table is small");
  EXPECT_EQ(Capitalised("learner.kind: declared \"mlp\"").plain, "learner.kind: declared \"mlp\"");
  EXPECT_EQ(Capitalised(Text("column x", "column x", "/warnings/0")).typeset(), "Column x");
}

}  // namespace
}  // namespace gonogo::report
