// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace gonogo::nn::graph {

/// y = x W + b with constant W and b, packed once for the kernel. Every output is one sum over the
/// inputs in ascending order, whatever the number of rows: a row has the same bytes alone and in a
/// batch.
class PackedLinear {
 public:
  /// `weights` is row-major [in, out]; `bias` has `out` entries or none.
  PackedLinear(std::span<const float> weights, std::span<const float> bias, std::size_t in,
               std::size_t out);

  [[nodiscard]] std::size_t in() const { return in_; }
  [[nodiscard]] std::size_t out() const { return out_; }

  /// `x` is [rows, in] and `y` [rows, out], both row-major and not overlapping.
  void Apply(const float* x, std::size_t rows, float* y) const;

 private:
  template <int kRows, int kPanels>
  void Sweep(const float* x, std::size_t rows, float* y) const;
  template <int kRows, int kPanels>
  void Tile(const float* x, std::size_t panel, float* y) const;

  std::size_t in_;
  std::size_t out_;
  // Panels of kPanelWidth outputs: [panel][in][kPanelWidth], the last one padded with zeros.
  std::vector<float, Eigen::aligned_allocator<float>> weights_;
  std::vector<float, Eigen::aligned_allocator<float>> bias_;
};

}  // namespace gonogo::nn::graph
