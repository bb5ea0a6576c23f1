// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/packed_linear.h"

#include <cstring>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/nn/kernels/gemm.h"

namespace gonogo::nn::internal {
namespace {

std::vector<float> Draw(std::size_t count, const RngStream& stream) {
  Rng rng = stream.Generator();
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.Normal());
  return values;
}

TEST(PackedLinearTest, HasTheBitsOfMultiplyForEveryShape) {
  for (const int in : {1, 5, 235}) {
    for (const int out : {1, 8, 12, 16, 33, 64, 100, 144}) {
      const std::vector<float> weights = Draw(static_cast<std::size_t>(in) * out, RngStream(1));
      const std::vector<float> bias = Draw(out, RngStream(2));
      const PackedLinear layer(weights, bias, in, out);
      for (const int rows : {1, 2, 3, 4, 7, 13, 50}) {
        const std::vector<float> x = Draw(static_cast<std::size_t>(rows) * in, RngStream(3));
        std::vector<float> expected(static_cast<std::size_t>(rows) * out);
        Multiply<float>(rows, out, in, {x.data(), in, 1}, {weights.data(), out, 1}, bias.data(),
                        expected.data());
        std::vector<float> y(expected.size() + 1, 7.0F);
        layer.Apply(x.data(), rows, y.data());
        EXPECT_EQ(0, std::memcmp(y.data(), expected.data(), expected.size() * sizeof(float)))
            << rows << " rows, " << in << " in, " << out << " out";
        EXPECT_EQ(y.back(), 7.0F);  // nothing is written past the end
      }
    }
  }
}

TEST(PackedLinearTest, TreatsAMissingBiasAsZero) {
  const std::vector<float> weights = {2.0F, 3.0F};
  const PackedLinear layer(weights, {}, 1, 2);
  const float x = 5.0F;
  float y[2] = {};
  layer.Apply(&x, 1, y);
  EXPECT_EQ(y[0], 10.0F);
  EXPECT_EQ(y[1], 15.0F);
}

}  // namespace
}  // namespace gonogo::nn::internal
