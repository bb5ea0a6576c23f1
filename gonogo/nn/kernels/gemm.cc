// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/gemm.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn::internal {
namespace {

constexpr int kDepthBlock = 256;   // a packed panel is 16 kB: half of the smallest level-one cache
constexpr int kRowBlock = 360;     // rows of a that stay in level two while panels pass by
constexpr int kPackFromRows = 24;  // fewer rows do not repay copying the panel

/// Where a panel of c starts and how its rows are initialised.
template <typename Scalar>
struct Target {
  Scalar* c;
  std::ptrdiff_t stride;
  const Scalar* row_init;  // null: zero
  bool resume;             // start from what c holds instead
};

template <typename Scalar>
GONOGO_INLINE Vector<Scalar> LoadFirst(const Scalar* from, int count) {
  Vector<Scalar> vector{};
  for (int lane = 0; lane < count; ++lane) vector[lane] = from[lane];
  return vector;
}

/// Columns of the last panel that exist, seen from vector `v` of a tile.
template <typename Scalar>
GONOGO_INLINE int Present(int width, int v) {
  return std::clamp(width - v * kLanes<Scalar>, 0, kLanes<Scalar>);
}

/// One panel of full vectors.
template <int kVectors, typename Scalar>
GONOGO_INLINE void FullPanel(int rows, int depth, Strided<Scalar> a, const Scalar* b,
                             std::ptrdiff_t b_stride, const Target<Scalar>& out) {
  const auto sweep = [&](auto&& start) {
    ForEachRowTile(rows, [&](int first, int height) {
      Scalar* const c = out.c + first * out.stride;
      TileOf<kVectors>(
          height, depth, Strided<Scalar>{a.at(first, 0), a.row_stride, a.column_stride}, b,
          b_stride, [&](int i, int v) { return start(c + i * out.stride, v * kLanes<Scalar>); },
          [&](int i, int v, Vector<Scalar> sum) {
            Store(sum, c + i * out.stride + v * kLanes<Scalar>);
          });
    });
  };
  if (out.resume) {
    sweep([](const Scalar* row, int offset) { return Load(row + offset); });
  } else if (out.row_init != nullptr) {
    sweep([&](const Scalar*, int offset) { return Load(out.row_init + offset); });
  } else {
    sweep([](const Scalar*, int) { return Vector<Scalar>{}; });
  }
}

/// The last panel, of which only `width` columns exist; `b` is packed.
template <int kVectors, typename Scalar>
void PartialPanel(int rows, int depth, Strided<Scalar> a, const Scalar* b, int width,
                  const Target<Scalar>& out) {
  ForEachRowTile(rows, [&](int first, int height) {
    Scalar* const c = out.c + first * out.stride;
    TileOf<kVectors>(
        height, depth, Strided<Scalar>{a.at(first, 0), a.row_stride, a.column_stride}, b,
        kTileColumns<Scalar>,
        [&](int i, int v) {
          const Scalar* const from = out.resume ? c + i * out.stride : out.row_init;
          if (from == nullptr) return Vector<Scalar>{};
          return LoadFirst(from + v * kLanes<Scalar>, Present<Scalar>(width, v));
        },
        [&](int i, int v, Vector<Scalar> sum) {
          Scalar* const to = c + i * out.stride + v * kLanes<Scalar>;
          for (int lane = 0; lane < Present<Scalar>(width, v); ++lane) to[lane] = sum[lane];
        });
  });
}

/// Copies `width` columns of `b` into rows of kTileColumns. Columns beyond them hold anything.
template <typename Scalar>
void Pack(int depth, Strided<Scalar> b, int width, Scalar* panel) {
  constexpr int kColumns = kTileColumns<Scalar>;
  if (b.column_stride != 1) {
    for (int j = 0; j < width; ++j) {
      for (int k = 0; k < depth; ++k) panel[k * kColumns + j] = *b.at(k, j);
    }
    return;
  }
  // Copies of a fixed length are fast and may run into the next row, but not beyond the last one.
  int k = 0;
  for (; k < depth && (depth - 1 - k) * b.row_stride + width >= kColumns; ++k) {
    std::copy_n(b.at(k, 0), kColumns, panel + k * kColumns);
  }
  for (; k < depth; ++k) std::copy_n(b.at(k, 0), width, panel + k * kColumns);
}

/// All columns of a block that is small enough in rows and depth to stay in the caches.
template <typename Scalar>
void MultiplyBlock(int rows, int columns, int depth, Strided<Scalar> a, Strided<Scalar> b,
                   const Target<Scalar>& out) {
  constexpr int kColumns = kTileColumns<Scalar>;
  constexpr int kWideVectors = 8;  // a single row needs eight chains to keep both units busy
  constexpr int kWideColumns = kWideVectors * kLanes<Scalar>;
  alignas(64) Scalar panel[kDepthBlock * kColumns];
  const bool direct = b.column_stride == 1 && rows < kPackFromRows;
  for (int j = 0; j < columns;) {
    const int width = std::min(columns - j, kColumns);
    const Strided<Scalar> right{b.at(0, j), b.row_stride, b.column_stride};
    Target<Scalar> part = out;
    part.c += j;
    if (part.row_init != nullptr) part.row_init += j;
    if (direct && rows == 1 && columns - j >= kWideColumns) {
      FullPanel<kWideVectors>(1, depth, a, right.data, right.row_stride, part);
      j += kWideColumns;
      continue;
    }
    if (direct && width == kColumns) {
      FullPanel<kTileVectors>(rows, depth, a, right.data, right.row_stride, part);
    } else {
      Pack(depth, right, width, panel);
      if (width == kColumns) {
        FullPanel<kTileVectors>(rows, depth, a, panel, kColumns, part);
      } else if (width > kLanes<Scalar>) {
        PartialPanel<2>(rows, depth, a, panel, width, part);
      } else {
        PartialPanel<1>(rows, depth, a, panel, width, part);
      }
    }
    j += width;
  }
}

constexpr int kTile = kTileColumns<float>;
constexpr int kPanel = 64;  // what a single row needs to keep the arithmetic units busy

}  // namespace

template <typename Scalar>
void Multiply(int rows, int columns, int depth, Strided<Scalar> a, Strided<Scalar> b,
              const Scalar* row_init, Scalar* c) {
  for (int row = 0; row < rows; row += kRowBlock) {
    int k = 0;
    do {  // once even for depth 0, to write the initial values
      MultiplyBlock(
          std::min(rows - row, kRowBlock), columns, std::min(depth - k, kDepthBlock),
          {a.at(row, k), a.row_stride, a.column_stride},
          {b.at(k, 0), b.row_stride, b.column_stride},
          Target<Scalar>{c + static_cast<std::ptrdiff_t>(row) * columns, columns, row_init, k > 0});
      k += kDepthBlock;
    } while (k < depth);
  }
}

template void Multiply(int, int, int, Strided<float>, Strided<float>, const float*, float*);
template void Multiply(int, int, int, Strided<double>, Strided<double>, const double*, double*);

PackedLinear::PackedLinear(std::span<const float> weights, std::span<const float> bias, int in,
                           int out)
    : in_(in), out_(out), padded_((out + kTile - 1) / kTile * kTile) {
  GONOGO_CHECK(std::ssize(weights) == static_cast<std::ptrdiff_t>(in) * out);
  GONOGO_CHECK(bias.empty() || std::ssize(bias) == out);
  weights_.assign(static_cast<std::size_t>(in) * padded_, 0.0F);
  float* to = weights_.data();
  for (int panel = 0; panel < padded_; panel += kPanel) {
    const int width = std::min(kPanel, padded_ - panel);
    for (int k = 0; k < in; ++k, to += width) {
      const float* const row = weights.data() + static_cast<std::ptrdiff_t>(k) * out;
      std::copy(row + panel, row + std::min(panel + width, out), to);
    }
  }
  bias_.assign(padded_, 0.0F);
  std::ranges::copy(bias, bias_.begin());
}

template <int kVectors>
void PackedLinear::ApplyColumns(const float* x, int rows, int first, float* y) const {
  const int panel = first / kPanel * kPanel;
  const int panel_width = std::min(kPanel, padded_ - panel);
  const float* const weights =
      weights_.data() + static_cast<std::ptrdiff_t>(panel) * in_ + (first - panel);
  const float* const bias = bias_.data() + first;
  ForEachRowTile(rows, [&](int row, int height) {
    const float* const from = x + static_cast<std::ptrdiff_t>(row) * in_;
    float* const to = y + static_cast<std::ptrdiff_t>(row) * out_ + first;
    TileOf<kVectors>(
        height, in_, Strided<float>{from, in_, 1}, weights, panel_width,
        [&](int, int v) { return Load(bias + std::ptrdiff_t{v} * kLanes<float>); },
        [&](int i, int v, Vector<float> sum) {
          const int missing = first + (v + 1) * kLanes<float> - out_;
          float* const place = to + std::ptrdiff_t{i} * out_ + std::ptrdiff_t{v} * kLanes<float>;
          if (missing <= 0) return Store(sum, place);
          for (int lane = 0; lane < kLanes<float> - missing; ++lane) place[lane] = sum[lane];
        });
  });
}

// Columns outside, rows inside: each weight is read from memory once and then serves all rows.
template <int kVectors>
void PackedLinear::Sweep(const float* x, int rows, float* y) const {
  constexpr int kWide = kVectors * kLanes<float>;
  static_assert(kPanel % kWide == 0);
  int first = 0;
  for (; first + kWide <= padded_; first += kWide) ApplyColumns<kVectors>(x, rows, first, y);
  for (; first < padded_; first += kTile) ApplyColumns<kTileVectors>(x, rows, first, y);
}

void PackedLinear::Apply(const float* x, int rows, float* y) const {
  // Eight sums or more in flight hide the latency of the multiply-adds.
  if (rows == 1) return Sweep<8>(x, rows, y);
  if (rows <= 3) return Sweep<4>(x, rows, y);
  return Sweep<kTileVectors>(x, rows, y);
}

}  // namespace gonogo::nn::internal
