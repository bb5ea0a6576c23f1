// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/internal/toml_guard.h"

#include <string>

#include <gtest/gtest.h>

namespace gonogo::io::internal {
namespace {

std::string KeyOf(std::size_t parts) {
  std::string key = "a";
  for (std::size_t i = 1; i < parts; ++i) key += ".a";
  return key;
}

std::string Guarded(std::string_view text) {
  const Result<std::string> guarded = GuardedToml(text, "p.toml");
  return guarded.ok() ? guarded.value() : guarded.error().message;
}

TEST(TomlGuardTest, AllowsExactlyAsManyPartsAsItSays) {
  EXPECT_EQ(Guarded(KeyOf(kMostKeyParts) + " = 1\n"), KeyOf(kMostKeyParts) + " = 1\n");
  EXPECT_EQ(Guarded(KeyOf(kMostKeyParts + 1) + " = 1\n"),
            "p.toml:1: a dotted key has more than 64 parts");
}

TEST(TomlGuardTest, CountsLinesThroughStringsAndComments) {
  const std::string deep = KeyOf(kMostKeyParts + 1) + " = 1\n";
  EXPECT_EQ(Guarded("# one\nb = \"\"\"two\nthree\"\"\"\nc = 'four'\n" + deep).rfind("p.toml:5:", 0),
            0U);
}

TEST(TomlGuardTest, AStringThatNeverEndsHidesNothingAfterItsLine) {
  const std::string deep = KeyOf(kMostKeyParts + 1) + " = 1\n";
  EXPECT_EQ(Guarded("b = \"open\n" + deep).rfind("p.toml:2:", 0), 0U);
  EXPECT_EQ(Guarded("b = \"open"), "b = \"open");
}

TEST(TomlGuardTest, LettersBeyondAsciiStandInQuotesAndCommentsOnly) {
  const std::string fine = "a = \"größer\" # ѱ\n'é' = 'é'\nc = \"\"\"\nё \\\"\"\"\"\n";
  EXPECT_EQ(Guarded(fine), fine);
  EXPECT_EQ(Guarded("\xEF\xBB\xBF" + fine), fine) << "a byte order mark is no letter";
  for (const char* stray : {"a = 1\né = 2\n", "\na = \"x\" ё\n", "a =\n1\u00A0\n"}) {
    EXPECT_EQ(Guarded(stray),
              "p.toml:2: not valid TOML: letters beyond ASCII stand in quotes or comments")
        << stray;
  }
}

TEST(TomlGuardTest, EscapesWhatFollowsABackslashAtTheEndOfALine) {
  EXPECT_EQ(Guarded("a = \"\"\"x\\\n  \\\n éñ x ö\"\"\"\n"),
            "a = \"\"\"x\\\n  \\\n \\U000000E9\\U000000F1 x ö\"\"\"\n");
  EXPECT_EQ(Guarded("a = \"\"\"\\\n€\\\n𝄞\"\"\"\n"),
            "a = \"\"\"\\\n\\U000020AC\\\n\\U0001D11E\"\"\"\n");
  EXPECT_EQ(Guarded("a = \"\"\"\\\n\xC3\"\"\"\n"), "a = \"\"\"\\\n\xC3\"\"\"\n") << "not UTF-8";
  EXPECT_EQ(Guarded("b = 1\na = \"\"\"x\n\\é\"\"\"\n").rfind("p.toml:2: not valid TOML: ", 0), 0U);
}

}  // namespace
}  // namespace gonogo::io::internal
