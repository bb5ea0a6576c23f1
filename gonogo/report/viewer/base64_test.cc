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

// "Man", "Ma" and "M": the example of RFC 4648's predecessors.
TEST(Base64Test, ReadsEveryLengthOfPaddingAndRefusesTheRest) {
  EXPECT_EQ(DecodeBase64("TWFu").value(), "Man");
  EXPECT_EQ(DecodeBase64("TWE=").value(), "Ma");
  EXPECT_EQ(DecodeBase64("TQ==").value(), "M");
  EXPECT_EQ(DecodeBase64("").value(), "");
  EXPECT_FALSE(DecodeBase64("TWF").has_value());
  EXPECT_FALSE(DecodeBase64("TW u").has_value());
}

}  // namespace
}  // namespace gonogo::report::internal
