// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/internal/toml_depth.h"

#include <string>

#include <gtest/gtest.h>

namespace gonogo::io::internal {
namespace {

std::string KeyOf(std::size_t parts) {
  std::string key = "a";
  for (std::size_t i = 1; i < parts; ++i) key += ".a";
  return key;
}

TEST(TomlDepthTest, AllowsExactlyAsManyPartsAsItSays) {
  EXPECT_EQ(LineOfDeepKey(KeyOf(kMostKeyParts) + " = 1\n"), 0U);
  EXPECT_EQ(LineOfDeepKey(KeyOf(kMostKeyParts + 1) + " = 1\n"), 1U);
}

TEST(TomlDepthTest, CountsLinesThroughStringsAndComments) {
  const std::string deep = KeyOf(kMostKeyParts + 1) + " = 1\n";
  EXPECT_EQ(LineOfDeepKey("# one\nb = \"\"\"two\nthree\"\"\"\nc = 'four'\n" + deep), 5U);
}

TEST(TomlDepthTest, AStringThatNeverEndsHidesNothingAfterItsLine) {
  const std::string deep = KeyOf(kMostKeyParts + 1) + " = 1\n";
  EXPECT_EQ(LineOfDeepKey("b = \"open\n" + deep), 2U);
  EXPECT_EQ(LineOfDeepKey("b = \"open"), 0U);
}

}  // namespace
}  // namespace gonogo::io::internal
