// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json.h"

#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

TEST(ParseJsonTest, ReadsValuesAndNamesTheFileOfWhatIsNone) {
  EXPECT_EQ(ParseJson("{\"a\": [1, {\"b\": null}]}", "f").value().dump(),
            R"({"a":[1,{"b":null}]})");
  for (const char* broken : {"", "{", "[1,]", "{\"a\": \"\xE9\"}", "1 2"}) {
    const Result<nlohmann::json> value = ParseJson(broken, "f.json");
    ASSERT_FALSE(value.ok()) << broken;
    EXPECT_EQ(value.error().message, "f.json: not valid JSON");
  }
}

TEST(ParseJsonTest, RefusesDeepNesting) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(100), "f").ok());
  EXPECT_EQ(ParseJson(nested(1'000'000), "f").error().message, "f: nests deeper than 100 levels");
  EXPECT_FALSE(ParseJson(std::string(1'000'000, '['), "f").ok());
}

}  // namespace
}  // namespace gonogo::io
