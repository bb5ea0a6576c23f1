// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json.h"

#include <string>

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

TEST(ParseCborTest, ReadsWhatTheLibraryWrites) {
  const nlohmann::json value = {{"list", {1, -300, 70000, 5000000000, 0.1, 1.5, true, nullptr}},
                                {"text", std::string(300, 'x')},
                                {"empty", nlohmann::json::object()},
                                {"nested", {{{"a", {1, 2}}}, {{"b", nlohmann::json::array()}}}}};
  std::string bytes;
  nlohmann::json::to_cbor(value, bytes);
  EXPECT_EQ(ParseCbor(bytes).value(), value);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseCbor(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(ParseCbor(bytes + '\0').has_value());
}

TEST(ParseCborTest, RefusesWhatWouldBeReadByCallingOneselfForEveryLevel) {
  for (const char open : {'\x81', '\x9F', '\x7F', '\x5F', '\xC6', '\xBF'}) {
    EXPECT_FALSE(ParseCbor(std::string(10'000'000, open)).has_value());
  }
  EXPECT_TRUE(ParseCbor(std::string(90, '\x81') + '\x01').has_value());
}

TEST(ParseCborTest, RefusesMoreItemsThanThereAreBytes) {
  EXPECT_FALSE(ParseCbor("\x9B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01").has_value());
  EXPECT_FALSE(ParseCbor("\x7B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFx").has_value());
}

TEST(TakeWholeTest, TakesWhatFitsAndThrowsForTheRest) {
  std::uint8_t byte = 0;
  TakeWhole(255, byte);
  EXPECT_EQ(byte, 255);
  int number = 0;
  TakeWhole(-7, number);
  EXPECT_EQ(number, -7);
  for (const nlohmann::json& wrong :
       {nlohmann::json(256), nlohmann::json(-1), nlohmann::json(1e300), nlohmann::json(1.0),
        nlohmann::json("1"), nlohmann::json()}) {
    EXPECT_THROW(TakeWhole(wrong, byte), nlohmann::json::exception) << wrong;
  }
}

TEST(TakeWholeTest, TakesListsOfThem) {
  std::vector<std::uint32_t> numbers = {9};
  TakeWhole(nlohmann::json::array({1, 2}), numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_THROW(TakeWhole(nlohmann::json::array({1, 0.5}), numbers), nlohmann::json::exception);
  EXPECT_THROW(TakeWhole(nlohmann::json(3), numbers), nlohmann::json::exception);
}

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
