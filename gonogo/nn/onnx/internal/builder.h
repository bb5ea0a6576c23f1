// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/internal/graph.h"
#include "gonogo/nn/onnx/internal/plan.h"

namespace gonogo::nn::graph {

/// Where one element of a rearranged tensor comes from.
struct Origin {
  std::size_t source = 0;  ///< which tensor
  std::size_t element = 0;
};

/// The six primitives every operator is made of. Each returns its output tensor: computed on the
/// spot when all operands are constant, else appended to the plan. Shapes of operands are checked
/// where ONNX leaves a choice to the file; what a caller must guarantee is said below.
class Builder {
 public:
  /// A place that the caller fills before the steps run.
  [[nodiscard]] Result<Tensor> Input(const Shape& shape);

  /// `shape` has one origin per element. Integer sources must be all constant.
  [[nodiscard]] Result<Tensor> Rearrange(std::span<const Tensor> sources, const Shape& shape,
                                         std::span<const Origin> origins);

  /// The tensor of `shape` whose element (i, j, ...) is element offset + i strides[0] + j
  /// strides[1]
  /// + ... of x: slices, transposes and repetitions.
  [[nodiscard]] Result<Tensor> View(const Tensor& x, const Shape& shape, std::int64_t offset,
                                    std::span<const std::int64_t> strides);

  /// x [..., k] times constant `weights` [k, n] plus `bias` (n values or none): [..., n].
  [[nodiscard]] Result<Tensor> Linear(const Tensor& x, const Tensor& weights,
                                      std::span<const float> bias = {});

  /// Every row of x [n, features] through all trees: [n, outputs].
  [[nodiscard]] Result<Tensor> Trees(const Tensor& x, PackedTrees trees);

  /// a [m, k] times b [k, n].
  [[nodiscard]] Result<Tensor> Product(const Tensor& a, const Tensor& b);

  [[nodiscard]] Result<Tensor> Unary(UnaryOp op, const Tensor& x, float alpha = 0.0F);

  /// With the broadcasting rules of NumPy.
  [[nodiscard]] Result<Tensor> Binary(BinaryOp op, const Tensor& a, const Tensor& b);

  /// x repeated along axes of length 1 and along new leading axes until it has `shape`.
  [[nodiscard]] Result<Tensor> Broadcast(const Tensor& x, const Shape& shape);

  /// Makes `tensor` the next output of the plan.
  void Output(const Tensor& tensor);

  [[nodiscard]] ExecutionPlan Finish() && { return std::move(plan_); }

 private:
  /// Counts a tensor against the limits before it is made.
  [[nodiscard]] Status Reserve(const Shape& shape);
  [[nodiscard]] Tensor Allocate(const Shape& shape);
  [[nodiscard]] Ref Use(const Tensor& tensor);

  ExecutionPlan plan_;
  std::size_t elements_ = 0;  // of all tensors made so far
};

/// Distance between neighbours along each axis of a row-major tensor.
[[nodiscard]] std::vector<std::int64_t> Strides(const Shape& shape);

/// An error unless `tensor` holds floats.
[[nodiscard]] Status RequireFloats(const Tensor& tensor);

}  // namespace gonogo::nn::graph
