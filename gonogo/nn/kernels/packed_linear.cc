// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/packed_linear.h"

#include <algorithm>

#include "gonogo/base/check.h"
#include "gonogo/nn/kernels/tile.h"

namespace gonogo::nn::internal {
namespace {

constexpr int kTile = kTileColumns<float>;
constexpr int kPanel = 64;  // what a single row needs to keep the arithmetic units busy

}  // namespace

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
