// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/cbor.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

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

}  // namespace
}  // namespace gonogo::io
