// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return InputError("{} is odd, expected an even number", n);
  return n / 2;
}

TEST(ResultTest, CarriesAValue) {
  ASSERT_TRUE(Half(8).ok());
  EXPECT_EQ(Half(8).value(), 4);
}

TEST(ResultTest, CarriesTheReasonOfAFailure) {
  const Result<int> failed = Half(7);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kInput);
  EXPECT_EQ(failed.error().message, "7 is odd, expected an even number");
}

TEST(ResultTest, MovesItsValueOut) {
  Result<std::unique_ptr<int>> made(std::make_unique<int>(3));
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 3);
}

TEST(ResultDeathTest, ReadingTheValueOfAFailureAborts) {
  EXPECT_DEATH((void)Half(7).value(), "check failed");
}

}  // namespace
}  // namespace gonogo
