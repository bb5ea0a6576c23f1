// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gonogo/base/check.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

// Compiler vectors instead of intrinsics: the same source compiles for every instruction set. Only
// the fused multiply-add has to be asked for by name, because contraction is off in this project.
#define GONOGO_INLINE inline __attribute__((always_inline))

namespace gonogo::nn::internal {

template <typename Scalar>
struct Simd;
template <>
struct Simd<float> {
  using Vector = float __attribute__((vector_size(32)));
};
template <>
struct Simd<double> {
  using Vector = double __attribute__((vector_size(32)));
};

template <typename Scalar>
using Vector = typename Simd<Scalar>::Vector;

/// Scalars per vector.
template <typename Scalar>
inline constexpr int kLanes = static_cast<int>(sizeof(Vector<Scalar>) / sizeof(Scalar));

template <typename Scalar>
GONOGO_INLINE Vector<Scalar> Load(const Scalar* from) {
  Vector<Scalar> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename Scalar>
GONOGO_INLINE void Store(Vector<Scalar> vector, Scalar* to) {
  std::memcpy(to, &vector, sizeof vector);
}

template <typename Scalar>
GONOGO_INLINE Vector<Scalar> Broadcast(Scalar value) {
  return value - Vector<Scalar>{};
}

/// One stage of a transposition: exchanges the upper right and lower left quarters of every square
/// of 2 kSize lanes and rows.
template <int kSize, typename Scalar, int... kLane>
GONOGO_INLINE void ExchangeQuarters(Vector<Scalar>* rows, std::integer_sequence<int, kLane...>) {
#pragma GCC unroll 16
  for (int i = 0; i < kLanes<Scalar>; ++i) {
    if ((i & kSize) != 0) continue;
    const Vector<Scalar> upper = rows[i];
    const Vector<Scalar> lower = rows[i + kSize];
    rows[i] = __builtin_shufflevector(
        upper, lower, ((kLane & kSize) == 0 ? kLane : kLanes<Scalar> + kLane - kSize)...);
    rows[i + kSize] = __builtin_shufflevector(
        upper, lower, ((kLane & kSize) == 0 ? kLane + kSize : kLanes<Scalar> + kLane)...);
  }
}

/// Transposes kLanes rows of kLanes scalars.
template <typename Scalar>
GONOGO_INLINE void TransposeSquare(const Scalar* from, std::ptrdiff_t from_stride, Scalar* to,
                                   std::ptrdiff_t to_stride) {
  constexpr int kCount = kLanes<Scalar>;
  Vector<Scalar> rows[kCount];
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) rows[i] = Load(from + i * from_stride);
  constexpr auto kEvery = std::make_integer_sequence<int, kCount>{};
  if constexpr (kCount > 4) ExchangeQuarters<4, Scalar>(rows, kEvery);
  ExchangeQuarters<2, Scalar>(rows, kEvery);
  ExchangeQuarters<1, Scalar>(rows, kEvery);
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) Store(rows[i], to + i * to_stride);
}

/// a * b + c, rounded once where the machine can.
GONOGO_INLINE Vector<float> MultiplyAdd(Vector<float> a, Vector<float> b, Vector<float> c) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}
GONOGO_INLINE Vector<double> MultiplyAdd(Vector<double> a, Vector<double> b, Vector<double> c) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

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
