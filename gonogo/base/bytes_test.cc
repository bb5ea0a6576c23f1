// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/bytes.h"

#include <vector>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

enum class Shade : std::uint8_t { kRed, kBlue };

std::string Written() {
  ByteWriter writer("magic");
  writer(std::uint32_t{0x01020304});
  writer(Shade::kBlue);
  writer(std::vector<float>{1.5F, -2.0F});
  writer(std::string_view("text"));
  return writer.Take();
}

TEST(BytesTest, ValuesLieAsInMemoryAndListsBehindTheirLength) {
  const std::string bytes = Written();
  ASSERT_EQ(bytes.size(), 5U + 4 + 1 + 8 + 8 + 8 + 4);
  EXPECT_EQ(bytes.substr(0, 10), "magic\x04\x03\x02\x01\x01");
  EXPECT_EQ(bytes.substr(10, 8), std::string("\2\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(bytes.substr(26), std::string("\4\0\0\0\0\0\0\0text", 12));
}

TEST(BytesTest, ReadingGivesBackWhatWasWritten) {
  const std::string bytes = Written();
  ByteReader reader(std::string_view(bytes).substr(5));
  std::uint32_t number = 0;
  Shade colour = Shade::kRed;
  std::vector<float> list;
  std::string text;
  reader(number);
  reader(colour);
  reader(list);
  reader(text);
  EXPECT_EQ(number, 0x01020304U);
  EXPECT_EQ(colour, Shade::kBlue);
  EXPECT_EQ(list, (std::vector<float>{1.5F, -2.0F}));
  EXPECT_EQ(text, "text");
  EXPECT_TRUE(reader.intact());
  EXPECT_TRUE(reader.at_end());
}

TEST(BytesTest, AfterTheFirstMissingByteNothingIsReadAnyMore) {
  const std::string bytes = Written();
  for (std::size_t length = 5; length < bytes.size(); ++length) {
    ByteReader reader(std::string_view(bytes).substr(5, length - 5));
    std::uint32_t number = 7;
    Shade colour = Shade::kRed;
    std::vector<float> list = {3.0F};
    std::string text = "old";
    reader(number);
    reader(colour);
    reader(list);
    reader(text);
    EXPECT_FALSE(reader.intact()) << length;
    EXPECT_TRUE(reader.at_end()) << length;
    EXPECT_TRUE(text.empty()) << length;
    EXPECT_EQ(number, length < 9 ? 7U : 0x01020304U) << length;
  }
}

TEST(BytesTest, ALengthThatCannotBeTrueIsNotAllocated) {
  ByteWriter writer;
  writer(std::uint64_t{1} << 62U);
  writer(1.0);
  const std::string bytes = writer.Take();
  ByteReader reader(bytes);
  std::vector<double> list;
  reader(list);
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(reader.intact());
}

}  // namespace
}  // namespace gonogo
