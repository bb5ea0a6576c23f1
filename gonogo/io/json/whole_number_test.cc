// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/whole_number.h"

#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

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

}  // namespace
}  // namespace gonogo::io
