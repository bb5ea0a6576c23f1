// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/non_zeros.h"

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/mlp.h"

namespace gonogo::nn::internal {
namespace {

/// Random entries in `rows` x `columns`, about half of them zero, padded with zeros on the right.
Batch<float> Rectified(int rows, int columns, std::uint64_t seed) {
  Rng rng = RngStream(seed).Generator();
  Batch<float> matrix = Batch<float>::Zero(rows, RowStride<float>(columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      matrix(i, j) = std::max(0.0F, static_cast<float>(rng.Normal()));
    }
  }
  return matrix;
}

Rows<float> View(Batch<float>& matrix) { return {matrix.data(), matrix.cols()}; }

bool Bit(const NonZeros& bits, int row, int column) {
  return (bits.row(row)[column / NonZeros::kBits] >> (column % NonZeros::kBits) & 1U) != 0;
}

TEST(NonZerosTest, HasABitForEveryEntryThatIsNotZero) {
  for (const int columns : {1, 13, 64, 65, 150}) {
    Batch<float> matrix = Rectified(9, columns, 1);
    matrix(3, 0) = -0.0F;
    matrix(4, 0) = -1.0F;
    NonZeros bits;
    bits.Find(9, columns, View(matrix));
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < bits.words() * NonZeros::kBits; ++j) {
        EXPECT_EQ(Bit(bits, i, j), j < columns && matrix(i, j) != 0.0F) << i << ", " << j;
      }
    }
  }
}

TEST(NonZerosTest, TransposesABlockOfRows) {
  Batch<float> matrix = Rectified(100, 70, 2);
  NonZeros bits;
  bits.Find(100, 70, View(matrix));
  NonZeros transposed;
  for (const auto& [first, rows] : {std::pair(0, 64), std::pair(64, 36), std::pair(99, 1)}) {
    transposed.Transpose(bits, first, rows);
    for (int j = 0; j < 70; ++j) {
      for (int i = 0; i < NonZeros::kBits; ++i) {
        EXPECT_EQ(Bit(transposed, j, i), i < rows && matrix(first + i, j) != 0.0F)
            << i << ", " << j;
      }
    }
  }
}

TEST(MultiplyNonZerosTest, HasTheBitsOfTheWholeProduct) {
  for (const int columns : {64, 128, 72, 3}) {  // the first two skip zeros
    Batch<float> a = Rectified(20, 70, 3);
    Batch<float> b = Rectified(70, columns, 4);
    b.leftCols(columns).array() -= 0.3F;
    NonZeros bits;
    bits.Find(20, 70, View(a));
    Batch<float> whole = Batch<float>::Zero(20, b.cols());
    Batch<float> skipping = whole;
    const auto init = [](int i, int j) { return Broadcast(static_cast<float>(i - j)); };
    MultiplyTiles(20, columns, 70, View(a).left(), View(b).right(), init,
                  [&](int i, int j, Vector<float> sum) { Store(sum, &whole(i, j)); });
    MultiplyNonZeros(20, columns, 70, bits, View(a).left(), View(b), init,
                     [&](int i, int j, Vector<float> sum) { Store(sum, &skipping(i, j)); });
    EXPECT_EQ(skipping, whole) << columns;
    EXPECT_NEAR(whole(7, 1), 7.0 + a.row(7).head(70).dot(b.col(1)), 1e-4);
  }
}

}  // namespace
}  // namespace gonogo::nn::internal
