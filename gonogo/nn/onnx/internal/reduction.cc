// SPDX-License-Identifier: Apache-2.0
// Sums over axes and the normalisations made of them, from the builder's primitives alone.
#include <algorithm>
#include <utility>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

Tensor ScalarOf(float value) { return Tensor::Constant({}, std::vector<float>{value}); }

/// Which axes a node reduces, as flags; all of them if it names none.
Result<std::vector<bool>> ReducedAxes(const Site& site, std::size_t rank) {
  const auto given = GONOGO_TRY(site.Integers("axes", 1));
  std::vector<bool> reduced(rank, !given || given->empty());
  if (!given) return reduced;
  for (const std::int64_t axis : *given) {
    const std::size_t at = GONOGO_TRY(ResolveAxis(axis, rank));
    reduced[at] = true;
  }
  return reduced;
}

/// x with the flagged axes last, joined into one: [kept..., product of the flagged].
Result<Tensor> FlaggedLast(Builder& builder, const Tensor& x, const std::vector<bool>& flagged) {
  const std::vector<std::int64_t> from = Strides(x.shape);
  Shape shape;
  std::vector<std::int64_t> strides;
  std::int64_t joined = 1;
  for (const bool wanted : {false, true}) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      if (flagged[axis] != wanted) continue;
      shape.push_back(x.shape[axis]);
      strides.push_back(from[axis]);
      if (wanted) joined *= x.shape[axis];
    }
  }
  Tensor moved = GONOGO_TRY(builder.View(x, shape, 0, strides));
  moved.shape.resize(x.rank() - static_cast<std::size_t>(std::ranges::count(flagged, true)));
  moved.shape.push_back(joined);
  return moved;
}

/// Sums over the last axis times `factor`, leaving an axis of length 1.
Result<Tensor> SumLast(Builder& builder, const Tensor& x, float factor) {
  const std::int64_t length = x.shape.back();
  const Tensor weights =
      Tensor::Constant({length, 1}, std::vector<float>(static_cast<std::size_t>(length), factor));
  return builder.Linear(x, weights);
}

Result<Tensor> MeanLast(Builder& builder, const Tensor& x) {
  return SumLast(builder, x, 1.0F / static_cast<float>(x.shape.back()));
}

/// The largest along the last axis, which keeps length 1.
Result<Tensor> MaxLast(Builder& builder, const Tensor& x) {
  Shape shape = x.shape;
  shape.back() = 1;
  const std::vector<std::int64_t> strides = Strides(x.shape);
  Tensor most = GONOGO_TRY(builder.View(x, shape, 0, strides));
  for (std::int64_t i = 1; i < x.shape.back(); ++i) {
    const Tensor next = GONOGO_TRY(builder.View(x, shape, i, strides));
    most = GONOGO_TRY(builder.Binary(BinaryOp::kMax, most, next));
  }
  return most;
}

/// The inverse of `FlaggedLast` for one axis.
Result<Tensor> LastTo(Builder& builder, const Tensor& x, std::size_t axis) {
  std::vector<std::int64_t> strides = Strides(x.shape);
  Shape shape = x.shape;
  std::rotate(shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end() - 1, shape.end());
  std::rotate(strides.begin() + static_cast<std::ptrdiff_t>(axis), strides.end() - 1,
              strides.end());
  return builder.View(x, shape, 0, strides);
}

/// (x - mean) / sqrt(variance + epsilon) over the last axis.
Result<Tensor> NormalisedLast(Builder& builder, const Tensor& x, float epsilon) {
  const Tensor mean = GONOGO_TRY(MeanLast(builder, x));
  const Tensor centred = GONOGO_TRY(builder.Binary(BinaryOp::kSub, x, mean));
  const Tensor squares = GONOGO_TRY(builder.Binary(BinaryOp::kMul, centred, centred));
  const Tensor variance = GONOGO_TRY(MeanLast(builder, squares));
  const Tensor raised = GONOGO_TRY(builder.Binary(BinaryOp::kAdd, variance, ScalarOf(epsilon)));
  const Tensor deviation = GONOGO_TRY(builder.Unary(UnaryOp::kSqrt, raised));
  return builder.Binary(BinaryOp::kDiv, centred, deviation);
}

}  // namespace

Outputs LowerReduce(const Site& site, Reduction reduction) {
  Builder& builder = site.builder;
  Tensor x = site.input(0);
  GONOGO_TRY(RequireFloats(x));
  const std::vector<bool> reduced = GONOGO_TRY(ReducedAxes(site, x.rank()));
  const auto given = GONOGO_TRY(site.Integers("axes", 1));
  if (site.attribute<std::int64_t>("noop_with_empty_axes", 0) != 0 && (!given || given->empty())) {
    return Single(x);
  }
  const bool keep = site.attribute<std::int64_t>("keepdims", 1) != 0;
  Shape shape;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[axis]) shape.push_back(x.shape[axis]);
    if (reduced[axis] && keep) shape.push_back(1);
  }
  if (reduction == Reduction::kL2) {
    x = GONOGO_TRY(builder.Binary(BinaryOp::kMul, x, x));
  }
  const Tensor last = GONOGO_TRY(FlaggedLast(builder, x, reduced));
  Result<Tensor> sum = reduction == Reduction::kMean  ? MeanLast(builder, last)
                       : reduction == Reduction::kMax ? MaxLast(builder, last)
                                                      : SumLast(builder, last, 1.0F);
  if (sum.ok() && reduction == Reduction::kL2) sum = builder.Unary(UnaryOp::kSqrt, sum.value());
  if (sum.ok()) sum.value().shape = std::move(shape);
  return Single(std::move(sum));
}

Outputs LowerSoftmax(const Site& site) {
  Builder& builder = site.builder;
  const Tensor& x = site.input(0);
  if (x.rank() == 0) return InputError("the operand is a scalar");
  // What it means without an axis changed with opset 13, but not for vectors and matrices.
  if (x.rank() > 2 && !site.has_attribute("axis")) {
    return InputError("no axis is given for shape {}", ToString(x.shape));
  }
  const std::size_t axis =
      GONOGO_TRY(ResolveAxis(site.attribute<std::int64_t>("axis", -1), x.rank()));
  std::vector<bool> flagged(x.rank(), false);
  flagged[axis] = true;
  const Tensor last = GONOGO_TRY(FlaggedLast(builder, x, flagged));
  const Tensor most = GONOGO_TRY(MaxLast(builder, last));
  const Tensor lowered = GONOGO_TRY(builder.Binary(BinaryOp::kSub, last, most));
  const Tensor powers = GONOGO_TRY(builder.Unary(UnaryOp::kExp, lowered));
  const Tensor sum = GONOGO_TRY(SumLast(builder, powers, 1.0F));
  const Tensor shares = GONOGO_TRY(builder.Binary(BinaryOp::kDiv, powers, sum));
  return Single(LastTo(builder, shares, axis));
}

Outputs LowerLayerNormalization(const Site& site) {
  Builder& builder = site.builder;
  Tensor x = site.input(0);
  if (x.rank() == 0) return InputError("the operand is a scalar");
  if (site.node.outputs.size() > 1) return InputError("only its first output is supported");
  const std::size_t axis =
      GONOGO_TRY(ResolveAxis(site.attribute<std::int64_t>("axis", -1), x.rank()));
  const Shape shape = x.shape;
  x.shape.resize(axis);
  x.shape.push_back(static_cast<std::int64_t>(Extent(shape, axis, shape.size())));
  Tensor normal = GONOGO_TRY(NormalisedLast(builder, x, site.attribute("epsilon", 1e-5F)));
  normal.shape = shape;
  Result<Tensor> out = builder.Binary(BinaryOp::kMul, normal, site.input(1));
  if (out.ok() && site.optional_input(2) != nullptr) {
    out = builder.Binary(BinaryOp::kAdd, out.value(), site.input(2));
  }
  return Single(std::move(out));
}

Outputs LowerBatchNormalization(const Site& site) {
  Builder& builder = site.builder;
  const Tensor& x = site.input(0);
  if (site.node.outputs.size() > 1 || site.attribute<std::int64_t>("training_mode", 0) != 0) {
    return InputError("training mode is not supported");
  }
  if (x.rank() < 2) return InputError("the operand has shape {}", ToString(x.shape));
  // The statistics belong to axis 1: give them one axis of length 1 for every later one.
  std::vector<Tensor> statistics;
  for (std::size_t i = 1; i <= 4; ++i) {
    Tensor tensor = site.input(i);
    tensor.shape.resize(x.rank() - 1, 1);
    statistics.push_back(std::move(tensor));
  }
  const Tensor centred = GONOGO_TRY(builder.Binary(BinaryOp::kSub, x, statistics[2]));
  const Tensor raised = GONOGO_TRY(
      builder.Binary(BinaryOp::kAdd, statistics[3], ScalarOf(site.attribute("epsilon", 1e-5F))));
  const Tensor deviation = GONOGO_TRY(builder.Unary(UnaryOp::kSqrt, raised));
  const Tensor normal = GONOGO_TRY(builder.Binary(BinaryOp::kDiv, centred, deviation));
  const Tensor scaled = GONOGO_TRY(builder.Binary(BinaryOp::kMul, normal, statistics[0]));
  return Single(builder.Binary(BinaryOp::kAdd, scaled, statistics[1]));
}

}  // namespace gonogo::nn::graph
