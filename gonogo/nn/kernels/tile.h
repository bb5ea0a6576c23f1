// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gonogo/base/check.h"
#include "gonogo/nn/kernels/simd.h"

namespace gonogo::nn::internal {

/// A matrix addressed element by element: entry (i, k) is data[i * row_stride + k * column_stride].
/// The transpose is the same memory with the strides exchanged.
template <typename Scalar>
struct Strided {
  const Scalar* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;

  [[nodiscard]] Strided transpose() const { return {data, column_stride, row_stride}; }
  [[nodiscard]] const Scalar* at(std::ptrdiff_t i, std::ptrdiff_t k) const {
    return data + i * row_stride + k * column_stride;
  }
};

/// Rows of the largest tile: 6 x 2 accumulators, 2 operands and 1 broadcast fill 16 registers.
inline constexpr int kTileRows = 6;
inline constexpr int kTileVectors = 2;
/// Columns of a tile.
template <typename Scalar>
inline constexpr int kTileColumns = kTileVectors* kLanes<Scalar>;

/// The one micro-kernel: the kRows x (kVectors * kLanes) product of `a` (kRows x depth) and `b`
/// (depth rows, `b_stride` apart), held in registers. `init(row, vector)` gives the starting values
/// and `store(row, vector, value)` takes the results. Every entry is one chain of multiply-adds in
/// the order of depth, so its bits depend neither on the shape of the tile nor on its neighbours.
template <int kRows, int kVectors, typename Scalar, typename Init, typename Store>
GONOGO_INLINE void Tile(int depth, Strided<Scalar> a, const Scalar* b, std::ptrdiff_t b_stride,
                        Init&& init, Store&& store) {
  Vector<Scalar> sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) sum[i][v] = init(i, v);
  }
  const Scalar* column = a.data;
  for (int k = 0; k < depth; ++k, column += a.column_stride, b += b_stride) {
    Vector<Scalar> right[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) right[v] = Load(b + v * kLanes<Scalar>);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const Vector<Scalar> left = Broadcast(column[i * a.row_stride]);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[i][v] = MultiplyAdd(left, right[v], sum[i][v]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) store(i, v, sum[i][v]);
  }
}

/// `Tile` for a number of rows known only at run time, 1 to kTileRows.
template <int kVectors, typename Scalar, typename Init, typename Store>
GONOGO_INLINE void TileOf(int rows, int depth, Strided<Scalar> a, const Scalar* b,
                          std::ptrdiff_t b_stride, Init&& init, Store&& store) {
  switch (rows) {
    case 6:
      return Tile<6, kVectors>(depth, a, b, b_stride, init, store);
    case 5:
      return Tile<5, kVectors>(depth, a, b, b_stride, init, store);
    case 4:
      return Tile<4, kVectors>(depth, a, b, b_stride, init, store);
    case 3:
      return Tile<3, kVectors>(depth, a, b, b_stride, init, store);
    case 2:
      return Tile<2, kVectors>(depth, a, b, b_stride, init, store);
    case 1:
      return Tile<1, kVectors>(depth, a, b, b_stride, init, store);
    default:
      GONOGO_CHECK(rows >= 1 && rows <= kTileRows);
  }
}

/// Calls body(first_row, rows) for tiles of nearly equal height: 43 rows become five of 5 and three
/// of 6 rather than seven of 6 and a slow single one.
template <typename Body>
GONOGO_INLINE void ForEachRowTile(int rows, Body&& body) {
  const int tiles = (rows + kTileRows - 1) / kTileRows;
  int first = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int height = (rows - first) / (tiles - tile);
    body(first, height);
    first += height;
  }
}

}  // namespace gonogo::nn::internal
