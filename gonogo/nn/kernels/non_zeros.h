// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gonogo/nn/kernels/tile.h"

namespace gonogo::nn::internal {

/// Where a matrix is not zero: one bit per entry, whole words per row. Half of what a rectifier
/// puts out is zero, and products that skip it take little more than half the time.
class NonZeros {
 public:
  static constexpr int kBits = 64;  // of a word

  /// Looks at `columns` columns of `rows` rows, whose vectors are padded with zeros.
  template <typename Scalar>
  void Find(int rows, int columns, Rows<Scalar> matrix);

  /// The transpose of at most kBits rows of `other`, from `first` on.
  void Transpose(const NonZeros& other, int first, int rows);

  [[nodiscard]] int words() const { return words_; }
  [[nodiscard]] const std::uint64_t* row(int index) const {
    return bits_.data() + std::ptrdiff_t{index} * words_;
  }

 private:
  int words_ = 0;  // per row
  std::vector<std::uint64_t> bits_;
};

extern template void NonZeros::Find(int, int, Rows<float>);
extern template void NonZeros::Find(int, int, Rows<double>);

/// Adds, for every bit k in ascending order, a[k * stride] times row k of `b` to a row of kVectors
/// vectors that starts at init(v) and ends in store(v, sum).
template <int kVectors, typename Scalar, typename Init, typename Store>
GONOGO_INLINE void AddNonZeros(const std::uint64_t* bits, int words, const Scalar* a,
                               std::ptrdiff_t stride, Rows<Scalar> b, Init&& init, Store&& store) {
  Vector<Scalar> sum[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) sum[v] = init(v);
  for (int word = 0; word < words; ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      const std::ptrdiff_t k = std::ptrdiff_t{word} * NonZeros::kBits + std::countr_zero(left);
      const Vector<Scalar> factor = Broadcast(a[k * stride]);
      const Scalar* row = b.at(k, 0);
      asm("" : "+r"(row));  // else the compiler keeps one register per vector instead of offsets
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sum[v] = MultiplyAdd(factor, Load(row + v * kLanes<Scalar>), sum[v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) store(v, sum[v]);
}

/// The product of `a` (rows x depth), whose entries outside `bits` are zero, and `b` (depth x
/// columns, rounded up to whole vectors), with the bits and the `init` and `store` of
/// `MultiplyTiles`: finite terms that are zero do not change a sum.
template <typename Scalar, typename Init, typename Store>
GONOGO_INLINE void MultiplyNonZeros(int rows, int columns, int depth, const NonZeros& bits,
                                    Strided<Scalar> a, Rows<Scalar> b, Init&& init, Store&& store) {
  constexpr int kVectors = 8;  // enough sums at a time to keep both multipliers busy
  constexpr int kColumns = kVectors * kLanes<Scalar>;
  if (columns % kColumns != 0)
    return MultiplyTiles(rows, columns, depth, a, b.right(), init, store);
  for (int j = 0; j < columns; j += kColumns) {
    for (int i = 0; i < rows; ++i) {
      AddNonZeros<kVectors>(
          bits.row(i), bits.words(), a.at(i, 0), a.column_stride,
          Rows<Scalar>{b.at(0, j), b.stride},
          [&](int v) { return init(i, j + v * kLanes<Scalar>); },
          [&](int v, Vector<Scalar> sum) { store(i, j + v * kLanes<Scalar>, sum); });
    }
  }
}

}  // namespace gonogo::nn::internal
