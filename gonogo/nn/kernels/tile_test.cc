// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/tile.h"

#include <vector>

#include <gtest/gtest.h>

namespace gonogo::nn::internal {
namespace {

template <typename Scalar>
void ExpectTransposed() {
  constexpr int kCount = kLanes<Scalar>;
  constexpr int kFromStride = kCount + 3;
  constexpr int kToStride = kCount + 5;
  std::vector<Scalar> from(kCount * kFromStride);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Scalar>(i);
  std::vector<Scalar> to(kCount * kToStride, Scalar(-1));
  TransposeSquare(from.data(), kFromStride, to.data(), kToStride);
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kToStride; ++j) {
      const Scalar expected = j < kCount ? from[j * kFromStride + i] : Scalar(-1);
      EXPECT_EQ(to[i * kToStride + j], expected) << i << ", " << j;
    }
  }
}

TEST(TransposeSquareTest, ExchangesRowsAndColumnsAndTouchesNothingElse) {
  ExpectTransposed<float>();
  ExpectTransposed<double>();
}

}  // namespace
}  // namespace gonogo::nn::internal
