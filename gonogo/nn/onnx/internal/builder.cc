// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/builder.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn::graph {
namespace {

// Of all tensors of a graph together: a small file cannot ask for much memory.
constexpr std::size_t kMaxTotalElements = std::size_t{1} << 26;

Result<Shape> BroadcastShape(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t from_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t from_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      return InputError("shapes {} and {} do not broadcast", ToString(a), ToString(b));
    }
    out[out.size() - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return out;
}

template <typename T>
std::vector<T> Gather(std::span<const Tensor> sources, std::span<const Origin> origins,
                      const std::vector<T>* (Tensor::*values)() const) {
  std::vector<T> out;
  out.reserve(origins.size());
  for (const Origin& origin : origins) {
    out.push_back((*(sources[origin.source].*values)())[origin.element]);
  }
  return out;
}

/// Runs of consecutive elements become one segment each.
std::vector<Segment> MergeRuns(std::span<const Ref> sources, std::span<const Origin> origins) {
  std::vector<Segment> segments;
  std::size_t last_source = 0;
  for (std::size_t to = 0; to < origins.size(); ++to) {
    const Origin& origin = origins[to];
    if (!segments.empty() && origin.source == last_source &&
        origin.element == segments.back().from + segments.back().count) {
      ++segments.back().count;
      continue;
    }
    segments.push_back({sources[origin.source], origin.element, to, 1});
    last_source = origin.source;
  }
  return segments;
}

}  // namespace

std::vector<std::int64_t> Strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

Status RequireFloats(const Tensor& tensor) {
  if (tensor.integers() != nullptr) return InputError("an operand has integers, expected floats");
  return {};
}

Status Builder::Reserve(const Shape& shape) {
  const std::size_t count = GONOGO_TRY(ElementCount(shape));
  if (count == 0) {
    return InputError("the result has shape {}, expected no empty dimension", ToString(shape));
  }
  elements_ += count;
  if (elements_ > kMaxTotalElements) {
    return InputError("the graph needs more than {} floats of memory", kMaxTotalElements);
  }
  return {};
}

Tensor Builder::Allocate(const Shape& shape) {
  Tensor tensor{shape, ArenaOffset{plan_.row_floats}};
  plan_.row_floats += tensor.size();
  return tensor;
}

Ref Builder::Use(const Tensor& tensor) {
  const std::vector<float>* const values = tensor.floats();
  if (values == nullptr) {
    return {std::get<ArenaOffset>(tensor.data).value, tensor.size(), false};
  }
  const Ref ref{plan_.constants.size(), values->size(), true};
  plan_.constants.insert(plan_.constants.end(), values->begin(), values->end());
  return ref;
}

Result<Tensor> Builder::Input(const Shape& shape) {
  GONOGO_TRY(Reserve(shape));
  Tensor tensor = Allocate(shape);
  plan_.inputs.push_back(Use(tensor));
  return tensor;
}

void Builder::Output(const Tensor& tensor) { plan_.outputs.push_back(Use(tensor)); }

Result<Tensor> Builder::Rearrange(std::span<const Tensor> sources, const Shape& shape,
                                  std::span<const Origin> origins) {
  GONOGO_TRY(Reserve(shape));
  const auto is_integer = [](const Tensor& t) { return t.integers() != nullptr; };
  if (std::ranges::all_of(sources, is_integer)) {
    return Tensor::Constant(shape, Gather<std::int64_t>(sources, origins, &Tensor::integers));
  }
  if (std::ranges::any_of(sources, is_integer)) {
    return InputError("operands mix floats and integers");
  }
  if (std::ranges::all_of(sources, [](const Tensor& t) { return t.is_constant(); })) {
    return Tensor::Constant(shape, Gather<float>(sources, origins, &Tensor::floats));
  }
  std::vector<Ref> refs;
  for (const Tensor& source : sources) refs.push_back(Use(source));
  Tensor out = Allocate(shape);
  plan_.steps.emplace_back(MoveStep{MergeRuns(refs, origins), Use(out)});
  return out;
}

Result<Tensor> Builder::View(const Tensor& x, const Shape& shape, std::int64_t offset,
                             std::span<const std::int64_t> strides) {
  const std::size_t count = GONOGO_TRY(ElementCount(shape));
  std::vector<Origin> origins(count);
  Shape at(shape.size(), 0);
  for (Origin& origin : origins) {
    origin.element = static_cast<std::size_t>(offset);
    // One step further, carrying into the axis before when one wraps around.
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++at[axis] < shape[axis]) break;
      offset -= strides[axis] * shape[axis];
      at[axis] = 0;
    }
  }
  return Rearrange({&x, 1}, shape, origins);
}

Result<Tensor> Builder::Linear(const Tensor& x, const Tensor& weights,
                               std::span<const float> bias) {
  GONOGO_CHECK(weights.floats() != nullptr && weights.rank() == 2);
  GONOGO_TRY(RequireFloats(x));
  if (x.rank() == 0 || x.shape.back() != weights.shape[0]) {
    return InputError("the first operand has shape {}, expected [..., {}] to match weights {}",
                      ToString(x.shape), weights.shape[0], ToString(weights.shape));
  }
  Shape shape = x.shape;
  shape.back() = weights.shape[1];
  GONOGO_TRY(Reserve(shape));
  // Packing rounds the outputs up.
  GONOGO_TRY(Reserve({weights.shape[0], weights.shape[1] + 15}));
  internal::PackedLinear layer(*weights.floats(), bias, static_cast<int>(weights.shape[0]),
                               static_cast<int>(weights.shape[1]));
  const int vectors = static_cast<int>(x.size()) / layer.in();
  if (const std::vector<float>* values = x.floats()) {
    std::vector<float> out(ElementCount(shape).value());
    layer.Apply(values->data(), vectors, out.data());
    return Tensor::Constant(std::move(shape), std::move(out));
  }
  Tensor out = Allocate(shape);
  plan_.steps.emplace_back(LinearStep{std::move(layer), vectors, Use(x), Use(out)});
  return out;
}

Result<Tensor> Builder::Trees(const Tensor& x, PackedTrees trees) {
  GONOGO_CHECK(x.rank() == 2 && x.shape[1] == trees.in());
  Shape shape = {x.shape[0], trees.out()};
  GONOGO_TRY(Reserve(shape));
  const int vectors = static_cast<int>(x.shape[0]);
  if (const std::vector<float>* values = x.floats()) {
    std::vector<float> out(ElementCount(shape).value());
    trees.Apply(values->data(), vectors, out.data());
    return Tensor::Constant(std::move(shape), std::move(out));
  }
  Tensor out = Allocate(shape);
  plan_.steps.emplace_back(TreeStep{std::move(trees), vectors, Use(x), Use(out)});
  return out;
}

Result<Tensor> Builder::Product(const Tensor& a, const Tensor& b) {
  if (b.floats() != nullptr) return Linear(a, b);
  for (const Tensor* operand : {&a, &b}) {
    GONOGO_TRY(RequireFloats(*operand));
  }
  if (a.rank() != 2 || b.rank() != 2 || a.shape[1] != b.shape[0]) {
    return InputError("operands have shapes {} and {}, expected [m, k] and [k, n]",
                      ToString(a.shape), ToString(b.shape));
  }
  const Shape shape = {a.shape[0], b.shape[1]};
  GONOGO_TRY(Reserve(shape));
  Tensor out = Allocate(shape);
  const ProductStep step{.m = static_cast<int>(a.shape[0]),
                         .k = static_cast<int>(a.shape[1]),
                         .n = static_cast<int>(b.shape[1]),
                         .a = Use(a),
                         .b = Use(b),
                         .out = Use(out)};
  plan_.steps.emplace_back(step);
  return out;
}

Result<Tensor> Builder::Unary(UnaryOp op, const Tensor& x, float alpha) {
  GONOGO_TRY(RequireFloats(x));
  GONOGO_TRY(Reserve(x.shape));
  if (const std::vector<float>* values = x.floats()) {
    std::vector<float> out(values->size());
    Apply(op, alpha, values->data(), values->size(), out.data());
    return Tensor::Constant(x.shape, std::move(out));
  }
  Tensor out = Allocate(x.shape);
  plan_.steps.emplace_back(UnaryStep{op, alpha, Use(x), Use(out)});
  return out;
}

Result<Tensor> Builder::Binary(BinaryOp op, const Tensor& a, const Tensor& b) {
  const Shape shape = GONOGO_TRY(BroadcastShape(a.shape, b.shape));
  for (const Tensor* operand : {&a, &b}) {
    GONOGO_TRY(RequireFloats(*operand));
  }
  const Tensor left = GONOGO_TRY(Broadcast(a, shape));
  const Tensor right = GONOGO_TRY(Broadcast(b, shape));
  GONOGO_TRY(Reserve(shape));
  if (left.is_constant() && right.is_constant()) {
    std::vector<float> out(left.size());
    Apply(op, left.floats()->data(), right.floats()->data(), out.size(), out.data());
    return Tensor::Constant(shape, std::move(out));
  }
  Tensor out = Allocate(shape);
  const BinaryStep step{op, Use(left), Use(right), Use(out)};
  plan_.steps.emplace_back(step);
  return out;
}

Result<Tensor> Builder::Broadcast(const Tensor& x, const Shape& shape) {
  if (x.shape == shape) return x;
  const Shape common = GONOGO_TRY(BroadcastShape(x.shape, shape));
  if (common != shape) {
    return InputError("shape {} does not broadcast to {}", ToString(x.shape), ToString(shape));
  }
  std::vector<std::int64_t> strides = Strides(x.shape);
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.shape[axis] == 1) strides[axis] = 0;
  }
  strides.insert(strides.begin(), shape.size() - x.rank(), 0);
  return View(x, shape, 0, strides);
}

}  // namespace gonogo::nn::graph
