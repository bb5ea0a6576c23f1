// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

#include "gonogo/nn/kernels/tile.h"

namespace gonogo::nn::internal {

/// The right-hand side of a product, read in panels of kTileColumns columns: entry (k, j) of panel
/// p is data[p * panel_stride + k * row_stride + j].
template <typename Scalar>
struct Panels {
  const Scalar* data;
  std::ptrdiff_t panel_stride;
  std::ptrdiff_t row_stride;
};

/// A row-major matrix to write to. Passed by value into loops: the compiler then knows that nothing
/// stored through it changes where it points.
template <typename Scalar>
struct Rows {
  Scalar* data;
  std::ptrdiff_t stride;

  [[nodiscard]] GONOGO_INLINE Scalar* at(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return data + i * stride + j;
  }
  /// Without the first `rows` rows.
  [[nodiscard]] Rows from(std::ptrdiff_t rows) const { return {at(rows, 0), stride}; }
  [[nodiscard]] Strided<Scalar> left() const { return {data, stride, 1}; }
  [[nodiscard]] Panels<Scalar> right() const { return {data, kTileColumns<Scalar>, stride}; }
};

/// Number of panels that hold `columns` columns.
template <typename Scalar>
[[nodiscard]] constexpr int PanelCount(int columns) {
  return (columns + kTileColumns<Scalar> - 1) / kTileColumns<Scalar>;
}

/// Row stride of a row-major matrix with `columns` columns: whole tiles, and an odd number of them,
/// so that walking down a column visits all cache sets instead of a few.
template <typename Scalar>
[[nodiscard]] constexpr int RowStride(int columns) {
  return (PanelCount<Scalar>(columns) | 1) * kTileColumns<Scalar>;
}

/// Shape of a matrix kept as packed panels: one after the other, each rows x kTileColumns without
/// gaps. The layout of weights, because products read them fastest.
template <typename Scalar>
struct PackedShape {
  int rows;
  int columns;

  [[nodiscard]] std::ptrdiff_t panel_stride() const {
    return static_cast<std::ptrdiff_t>(rows) * kTileColumns<Scalar>;
  }
  [[nodiscard]] std::ptrdiff_t size() const { return PanelCount<Scalar>(columns) * panel_stride(); }
  [[nodiscard]] std::ptrdiff_t index(int row, int column) const {
    constexpr int kColumns = kTileColumns<Scalar>;
    return column / kColumns * panel_stride() + row * kColumns + column % kColumns;
  }
  /// The rows from `first_row` on as a right-hand side.
  [[nodiscard]] Panels<Scalar> view(const Scalar* data, int first_row = 0) const {
    return {data + index(first_row, 0), panel_stride(), kTileColumns<Scalar>};
  }
};

/// Multiplies `a` (rows x depth) by `b` (depth x columns, rounded up to whole vectors), tile by
/// tile. `init(i, j)` gives the starting vector of row i at column j and `store(i, j, vector)`
/// takes the result, so that bias, activation and masks cost no extra pass.
template <typename Scalar, typename Init, typename Store>
GONOGO_INLINE void MultiplyTiles(int rows, int columns, int depth, Strided<Scalar> a,
                                 Panels<Scalar> b, Init&& init, Store&& store) {
  const auto sweep = [&]<int kVectors>(std::integral_constant<int, kVectors>, int j) {
    ForEachRowTile(rows, [&](int first, int height) {
      TileOf<kVectors>(
          height, depth, Strided<Scalar>{a.at(first, 0), a.row_stride, a.column_stride},
          b.data + j / kTileColumns<Scalar> * b.panel_stride, b.row_stride,
          [&](int i, int v) { return init(first + i, j + v * kLanes<Scalar>); },
          [&](int i, int v, Vector<Scalar> sum) { store(first + i, j + v * kLanes<Scalar>, sum); });
    });
  };
  int j = 0;
  for (; j + kLanes<Scalar> < columns; j += kTileColumns<Scalar>) {
    sweep(std::integral_constant<int, kTileVectors>{}, j);
  }
  if (j < columns) sweep(std::integral_constant<int, 1>{}, j);
}

}  // namespace gonogo::nn::internal
