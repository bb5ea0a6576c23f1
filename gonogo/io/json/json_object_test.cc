// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json_object.h"

#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

using nlohmann::json;

template <typename T>
std::string ErrorOf(const json& value) {
  const json file = {{"outer", {{"key", value}}}};
  const JsonObject outer = JsonObject::Open(file, "f.json").value().Object("outer").value();
  const Result<T> read = outer.Get<T>("key");
  if (read.ok()) return "no error";
  EXPECT_EQ(read.error().kind, ErrorKind::kInput);
  return read.error().message;
}

TEST(JsonObjectTest, ReadsWhatHasTheRightType) {
  const json file = {{"text", "a"}, {"flag", true},   {"number", 2},
                     {"count", 3},  {"many", {1, 2}}, {"inner", {{"x", 0.5}}}};
  const JsonObject object = JsonObject::Open(file, "f.json").value();
  EXPECT_EQ(object.Get<std::string>("text").value(), "a");
  EXPECT_TRUE(object.Get<bool>("flag").value());
  EXPECT_EQ(object.Get<double>("number").value(), 2.0);
  EXPECT_EQ(object.Get<std::uint64_t>("count").value(), 3U);
  EXPECT_EQ(object.Get<std::vector<int>>("many").value(), (std::vector<int>{1, 2}));
  EXPECT_EQ(object.Object("inner").value().Get<double>("x").value(), 0.5);
  EXPECT_EQ(object.Get<std::string>("absent", "usual").value(), "usual");
}

TEST(JsonObjectTest, NamesFileKeyFoundAndExpected) {
  EXPECT_EQ(ErrorOf<std::string>(5), "f.json: outer.key is 5, expected a text");
  EXPECT_EQ(ErrorOf<bool>(1), "f.json: outer.key is 1, expected true or false");
  EXPECT_EQ(ErrorOf<double>("1"), "f.json: outer.key is \"1\", expected a number");
  EXPECT_EQ(ErrorOf<double>(true), "f.json: outer.key is true, expected a number");
  EXPECT_EQ(ErrorOf<double>(nullptr), "f.json: outer.key is null, expected a number");
  EXPECT_EQ(ErrorOf<int>(1.5), "f.json: outer.key is 1.5, expected a whole number");
  EXPECT_EQ(ErrorOf<std::uint64_t>(-1),
            "f.json: outer.key is -1, expected a whole number of 0 or more");
  EXPECT_EQ(ErrorOf<std::uint32_t>(5'000'000'000),
            "f.json: outer.key is 5000000000, expected a whole number of 0 or more");
  EXPECT_EQ(ErrorOf<std::vector<double>>(7), "f.json: outer.key is 7, expected a list");
  EXPECT_EQ(ErrorOf<std::vector<double>>({1, "x"}),
            "f.json: outer.key[1] is \"x\", expected a number");
}

TEST(JsonObjectTest, NamesWhatIsMissingOrNoObject) {
  const json file = {{"list", {1}}};
  const JsonObject object = JsonObject::Open(file, "f.json").value();
  EXPECT_EQ(object.Get<std::string>("key").error().message,
            "f.json: key is missing, expected a text");
  EXPECT_EQ(object.Get<json>("key").error().message, "f.json: key is missing, expected something");
  EXPECT_EQ(object.Object("list").error().message, "f.json: list is [1], expected an object");
  EXPECT_EQ(object.Objects("list").error().message, "f.json: list[0] is 1, expected an object");
  EXPECT_EQ(object.Objects("key").error().message, "f.json: key is missing, expected a list");
  EXPECT_EQ(JsonObject::Open(json(3), "f.json").error().message,
            "f.json: the content is 3, expected an object");
  EXPECT_EQ(object.Wrong("list", "two").message, "f.json: list is [1], expected two");
}

TEST(JsonObjectTest, AnOptionalKeyOfTheWrongTypeIsRefusedToo) {
  const json file = {{"key", 5}};
  EXPECT_FALSE(JsonObject::Open(file, "f.json").value().Get<std::string>("key", "usual").ok());
}

}  // namespace
}  // namespace gonogo::io
