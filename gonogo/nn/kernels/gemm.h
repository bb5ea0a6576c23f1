// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/nn/kernels/tile.h"

namespace gonogo::nn::internal {

/// Writes row_init + a b into `c`, which is rows x columns and row-major without gaps; `row_init`
/// has one entry per column, or is null for zero. `a` is rows x depth, `b` is depth x columns.
/// Neither allocates nor looks at the machine's caches: entry (i, j) is one chain of multiply-adds
/// in the order of depth and has the same bits whatever else is in the batch.
template <typename Scalar>
void Multiply(int rows, int columns, int depth, Strided<Scalar> a, Strided<Scalar> b,
              const Scalar* row_init, Scalar* c);

/// y = x W + b with W and b that never change, laid out once in the order the kernel reads them.
/// Gives the bits of `Multiply`, faster when rows are few: what is left then is reading W.
class PackedLinear {
 public:
  /// `weights` is row-major [in, out]; `bias` has `out` entries or none.
  PackedLinear(std::span<const float> weights, std::span<const float> bias, int in, int out);

  [[nodiscard]] int in() const { return in_; }
  [[nodiscard]] int out() const { return out_; }

  /// `x` is [rows, in] and `y` [rows, out], both row-major and not overlapping.
  void Apply(const float* x, int rows, float* y) const;

 private:
  template <int kVectors>
  void Sweep(const float* x, int rows, float* y) const;
  /// The kVectors vectors of outputs from `first` on.
  template <int kVectors>
  void ApplyColumns(const float* x, int rows, int first, float* y) const;

  int in_;
  int out_;
  int padded_;  // outputs rounded up to whole tiles
  // Panels of up to kPanel outputs, one after the other: each [in, panel width].
  std::vector<float, Eigen::aligned_allocator<float>> weights_;
  std::vector<float> bias_;
};

}  // namespace gonogo::nn::internal
