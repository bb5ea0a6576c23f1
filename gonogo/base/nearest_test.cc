// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/nearest.h"

#include <array>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(DidYouMeanTest, SuggestsTheNearestOptionOnlyWhenItIsNear) {
  const std::array<std::string, 3> options = {"kappa", "delta_dep", "delta_alloc"};
  EXPECT_EQ(DidYouMean("kapa", options), " (did you mean 'kappa'?)");
  EXPECT_EQ(DidYouMean("delta_dap", options), " (did you mean 'delta_dep'?)");
  EXPECT_EQ(DidYouMean("epsilon", options), "");
  const std::array<std::string, 2> long_one = {std::string(1U << 20U, 'k'), "kappa"};
  EXPECT_EQ(DidYouMean("kapa", long_one), " (did you mean 'kappa'?)");
}

}  // namespace
}  // namespace gonogo
