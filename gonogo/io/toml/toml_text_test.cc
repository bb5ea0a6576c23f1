// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/toml_text.h"

#include <limits>

#include <gtest/gtest.h>

#include "gonogo/io/toml/toml.h"

namespace gonogo::io {
namespace {

TomlDocument WithValue(const std::string& text) {
  return TomlDocument::Parse("k = " + text + "\n", "t").value();
}

TEST(TomlTextTest, StringsReadBackToTheSameBytes) {
  for (const std::string text : {"", "plain", "quote \" backslash \\", "tab\tline\nreturn\r",
                                 "delete \x7f nothing", "größer"}) {
    EXPECT_EQ(WithValue(TomlString(text)).Root().String("k", "?"), text);
  }
  EXPECT_EQ(TomlString("a\n\"b\""), "\"a\\u000a\\\"b\\\"\"");
}

TEST(TomlTextTest, RealsReadBackToTheSameNumberAndStayReals) {
  for (const double value :
       {0.0, 1.0, -2.0, 1.0 / 3.0, 1e-9, 1e300, 123456789.0, std::numeric_limits<double>::min(),
        std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(WithValue(TomlReal(value)).Root().Number("k", -1.0), value);
    EXPECT_EQ(WithValue(TomlReal(value)).Root().ValueText("k"), TomlReal(value));
  }
  EXPECT_EQ(TomlReal(1.0), "1.0");
  EXPECT_EQ(TomlReal(1e-9), "1e-09");
}

TEST(TomlTextTest, OnlyPartsOfAKeyThatNeedQuotesGetThem) {
  EXPECT_EQ(TomlKeyPart("queries_per-cluster2"), "queries_per-cluster2");
  EXPECT_EQ(TomlKeyPart("obs only"), "\"obs only\"");
  EXPECT_EQ(TomlKeyPart("a.b"), "\"a.b\"");
  EXPECT_EQ(TomlKeyPart(""), "\"\"");
}

TEST(TomlTextTest, EntriesBecomeLines) {
  EXPECT_EQ(TomlLines({{"a.b", "1"}, {"c", TomlList(std::vector<std::string>{"2", "3"})}}),
            "a.b = 1\nc = [2, 3]\n");
}

}  // namespace
}  // namespace gonogo::io
