// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/gemm.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"

namespace gonogo::nn::internal {
namespace {

template <typename Scalar>
std::vector<Scalar> Random(std::size_t n, const RngStream& stream) {
  Rng rng = stream.Generator();
  std::vector<Scalar> values(n);
  for (Scalar& value : values) value = static_cast<Scalar>(rng.Normal());
  return values;
}

/// The definition, one multiply-add after the other.
template <typename Scalar>
Scalar Entry(int depth, Strided<Scalar> a, Strided<Scalar> b, int i, int j, Scalar sum) {
  for (int k = 0; k < depth; ++k) {
#if defined(__FMA__)
    sum = std::fma(*a.at(i, k), *b.at(k, j), sum);
#else
    sum += *a.at(i, k) * *b.at(k, j);
#endif
  }
  return sum;
}

template <typename Scalar>
void ExpectExact(int rows, int columns, int depth, bool transpose_a, bool transpose_b) {
  SCOPED_TRACE(testing::Message() << rows << " x " << columns << " x " << depth << " transposed "
                                  << transpose_a << transpose_b);
  const RngStream stream(rows * 1000 + columns);
  const std::vector<Scalar> a = Random<Scalar>(std::size_t(rows) * depth, stream.Child("a"));
  const std::vector<Scalar> b = Random<Scalar>(std::size_t(depth) * columns, stream.Child("b"));
  const std::vector<Scalar> bias = Random<Scalar>(columns, stream.Child("bias"));
  const Strided<Scalar> left = transpose_a ? Strided<Scalar>{a.data(), 1, rows}  //
                                           : Strided<Scalar>{a.data(), depth, 1};
  const Strided<Scalar> right =
      transpose_b ? Strided<Scalar>{b.data(), 1, depth} : Strided<Scalar>{b.data(), columns, 1};
  std::vector<Scalar> c(std::size_t(rows) * columns, Scalar(99));
  for (const Scalar* init : {static_cast<const Scalar*>(nullptr), bias.data()}) {
    Multiply(rows, columns, depth, left, right, init, c.data());
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        const Scalar start = init == nullptr ? Scalar(0) : bias[j];
        ASSERT_EQ(c[i * columns + j], Entry(depth, left, right, i, j, start)) << i << "," << j;
      }
    }
  }
}

TEST(MultiplyTest, EveryEntryIsExactlyTheChainOfMultiplyAddsInOrderOfDepth) {
  for (const int rows : {1, 2, 5, 7, 24, 43, 500}) {
    for (const int columns : {1, 3, 8, 16, 21, 64, 83}) {
      for (const int depth : {1, 13, 256, 300}) {
        ExpectExact<float>(rows, columns, depth, rows % 2 == 0, columns % 2 == 0);
      }
    }
  }
}

TEST(MultiplyTest, IsExactForEveryCombinationOfTransposesInBothPrecisions) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      ExpectExact<float>(29, 37, 600, transpose_a, transpose_b);
      ExpectExact<double>(29, 37, 600, transpose_a, transpose_b);
      ExpectExact<double>(1, 70, 9, transpose_a, transpose_b);
      ExpectExact<float>(101, 256, 257, transpose_a, transpose_b);
    }
  }
}

TEST(MultiplyTest, WritesTheInitialValuesWhenThereIsNothingToSum) {
  const std::vector<float> bias = {1.0F, 2.0F, 3.0F};
  std::vector<float> c(6, 99.0F);
  Multiply<float>(2, 3, 0, {nullptr, 0, 0}, {nullptr, 0, 0}, bias.data(), c.data());
  EXPECT_EQ(c, (std::vector<float>{1.0F, 2.0F, 3.0F, 1.0F, 2.0F, 3.0F}));
}

TEST(ForEachRowTileTest, CoversEveryRowOnceWithTilesOfNearlyEqualHeight) {
  for (int rows = 1; rows < 100; ++rows) {
    int next = 0;
    int lowest = kTileRows;
    int highest = 0;
    ForEachRowTile(rows, [&](int first, int height) {
      EXPECT_EQ(first, next);
      next += height;
      lowest = std::min(lowest, height);
      highest = std::max(highest, height);
    });
    EXPECT_EQ(next, rows);
    EXPECT_LE(highest, kTileRows);
    EXPECT_LE(highest - lowest, 1);
  }
}

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
