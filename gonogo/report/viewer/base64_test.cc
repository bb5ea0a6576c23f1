// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/viewer/base64.h"

#include <array>

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

// Bytes of 1.0f are 00 00 80 3f, of -2.0f 00 00 00 c0; encoded by hand.
TEST(Base64Test, WritesLittleEndianFloatsWithEveryLengthOfPadding) {
  EXPECT_EQ(Base64({}), "");
  EXPECT_EQ(Base64(std::array{1.0F}), "AACAPw==");
  EXPECT_EQ(Base64(std::array{1.0F, -2.0F}), "AACAPwAAAMA=");
  EXPECT_EQ(Base64(std::array{1.0F, -2.0F, 1.0F}), "AACAPwAAAMAAAIA/");
}

}  // namespace
}  // namespace gonogo::report::internal
