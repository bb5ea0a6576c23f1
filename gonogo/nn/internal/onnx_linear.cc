// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/internal/onnx_linear.h"

#include <algorithm>
#include <array>
#include <cstring>
#ifdef __FMA__
#include <immintrin.h>
#endif

#include "gonogo/base/check.h"

namespace gonogo::nn::graph {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kPanelWidth = 16;

using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;

Lanes Load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

Lanes MultiplyAdd(float scale, Lanes a, Lanes b) {
  const Lanes scales = {scale, scale, scale, scale, scale, scale, scale, scale};
#ifdef __FMA__
  return _mm256_fmadd_ps(scales, a, b);
#else
  return scales * a + b;
#endif
}

}  // namespace

PackedLinear::PackedLinear(std::span<const float> weights, std::span<const float> bias,
                           std::size_t in, std::size_t out)
    : in_(in), out_(out) {
  GONOGO_CHECK(weights.size() == in * out && (bias.empty() || bias.size() == out));
  const std::size_t panels = (out + kPanelWidth - 1) / kPanelWidth;
  weights_.assign(panels * in * kPanelWidth, 0.0F);
  bias_.assign(panels * kPanelWidth, 0.0F);
  for (std::size_t k = 0; k < in; ++k) {
    for (std::size_t n = 0; n < out; ++n) {
      weights_[(n / kPanelWidth * in + k) * kPanelWidth + n % kPanelWidth] = weights[k * out + n];
    }
  }
  std::copy(bias.begin(), bias.end(), bias_.begin());
}

// One tile holds kRows x kPanels panels of accumulators in registers.
template <int kRows, int kPanels>
void PackedLinear::Tile(const float* x, std::size_t panel, float* y) const {
  constexpr int kColumns = kPanels * 2;
  std::array<std::array<Lanes, kColumns>, kRows> sums;
  const float* const bias = bias_.data() + panel * kPanelWidth;
  const float* const weights = weights_.data() + panel * in_ * kPanelWidth;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) sums[r][c] = Load(bias + kLanes * c);
  }
  for (std::size_t k = 0; k < in_; ++k) {
    for (int p = 0; p < kPanels; ++p) {
      const float* const row = weights + (p * in_ + k) * kPanelWidth;
      const Lanes low = Load(row);
      const Lanes high = Load(row + kLanes);
      for (int r = 0; r < kRows; ++r) {
        sums[r][2 * p] = MultiplyAdd(x[r * in_ + k], low, sums[r][2 * p]);
        sums[r][2 * p + 1] = MultiplyAdd(x[r * in_ + k], high, sums[r][2 * p + 1]);
      }
    }
  }
  const std::size_t columns = std::min(kPanels * kPanelWidth, out_ - panel * kPanelWidth);
  for (int r = 0; r < kRows; ++r) {
    std::memcpy(y + r * out_ + panel * kPanelWidth, sums[r].data(), columns * sizeof(float));
  }
}

template <int kRows, int kPanels>
void PackedLinear::Sweep(const float* x, std::size_t rows, float* y) const {
  const std::size_t panels = bias_.size() / kPanelWidth;
  std::size_t panel = 0;
  // Panels outside: each is read from memory once and then serves all rows from the cache.
  for (; panel + kPanels <= panels; panel += kPanels) {
    for (std::size_t r = 0; r < rows; r += kRows) {
      Tile<kRows, kPanels>(x + r * in_, panel, y + r * out_);
    }
  }
  for (; panel < panels; ++panel) {
    for (std::size_t r = 0; r < rows; r += kRows) {
      Tile<kRows, 1>(x + r * in_, panel, y + r * out_);
    }
  }
}

void PackedLinear::Apply(const float* x, std::size_t rows, float* y) const {
  const std::size_t sixes = rows / 6 * 6;
  const std::size_t pairs = (rows - sixes) / 2 * 2;
  Sweep<6, 1>(x, sixes, y);
  Sweep<2, 2>(x + sixes * in_, pairs, y + sixes * out_);
  const std::size_t done = sixes + pairs;
  Sweep<1, 4>(x + done * in_, rows - done, y + done * out_);
}

}  // namespace gonogo::nn::graph
