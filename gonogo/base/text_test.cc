// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/text.h"

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(IsTextTest, AcceptsUtf8AndLineBreaksAndNothingElse) {
  EXPECT_TRUE(IsText(""));
  EXPECT_TRUE(IsText("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\xA4\x96\t\r\n"));
  EXPECT_FALSE(IsText("caf\xE9"));           // Latin-1
  EXPECT_FALSE(IsText("\xE2\x82"));          // cut
  EXPECT_FALSE(IsText("\xC0\xAF"));          // overlong
  EXPECT_FALSE(IsText("\xE0\x9F\xBF"));      // overlong
  EXPECT_FALSE(IsText("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(IsText("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(IsText(std::string_view("a\0b", 3)));
  EXPECT_FALSE(IsText("\x1B[31m"));
  EXPECT_FALSE(IsText("\x7F"));
}

TEST(ExcerptTest, KeepsShortTextsAndCutsLongOnesBetweenCharacters) {
  EXPECT_EQ(Excerpt("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(Excerpt(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(Excerpt(std::string(61, 'a')), std::string(57, 'a') + "...");
  const std::string cut = Excerpt(std::string(56, 'a') + "\xE2\x82\xAC" + std::string(60, 'a'));
  EXPECT_EQ(cut, std::string(56, 'a') + "\xE2\x82\xAC...");
}

TEST(ExcerptTest, SpellsOutBytesThatAreNotText) {
  EXPECT_EQ(Excerpt("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(Excerpt("\x1B[31m"), "\\x1b[31m");
}

}  // namespace
}  // namespace gonogo
