// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gonogo/nn/onnx/torchscript/operators.h"
#include "gonogo/nn/onnx/torchscript/recurrent.h"

namespace gonogo::nn::torchscript {
namespace {

/// x W^T + b
Result<Value> Linear(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "input"));
  ScriptTensor* weight = GONOGO_TRY(call.TensorAt(1, "weight"));
  if (x->rank() < 1 || weight->rank() != 2 || x->shape.back() != weight->shape[1]) {
    return InputError("weights of shape {} take no input of shape {}", ToString(weight->shape),
                      ToString(x->shape));
  }
  ScriptGraph& graph = call.graph;
  Shape shape = x->shape;
  shape.back() = weight->shape[0];
  ScriptTensor* bias = call.Has(2, "bias") ? GONOGO_TRY(call.TensorAt(2, "bias")) : nullptr;
  if (bias != nullptr && bias->shape != Shape{shape.back()}) {
    return InputError("a bias of shape {} for {} outputs", ToString(bias->shape), shape.back());
  }
  if (x->rank() == 2) {
    std::vector<ScriptTensor*> inputs{x, weight};
    if (bias != nullptr) inputs.push_back(bias);
    return Value(GONOGO_TRY(graph.Apply("Gemm", inputs, shape, [](::onnx::NodeProto& node) {
      SetAttribute(node, "transB", std::int64_t{1});
    })));
  }
  ScriptTensor* turned = GONOGO_TRY(graph.Permute(*weight, {1, 0}));
  ScriptTensor* product = GONOGO_TRY(graph.Apply("MatMul", {x, turned}, shape));
  if (bias != nullptr) product = GONOGO_TRY(Combine(graph, "Add", product, bias));
  return Value(product);
}

Result<Value> Matmul(const Call& call) {
  ScriptTensor* a = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* b = GONOGO_TRY(call.TensorAt(1, "other"));
  if (a->rank() < 1 || b->rank() != 2 || a->shape.back() != b->shape[0]) {
    return InputError("a product of {} and {}", ToString(a->shape), ToString(b->shape));
  }
  Shape shape = a->shape;
  shape.back() = b->shape[1];
  return Value(GONOGO_TRY(call.graph.Apply("MatMul", {a, b}, std::move(shape))));
}

/// c + a b
Result<Value> AddMm(const Call& call) {
  if (GONOGO_TRY(call.NumberAt(3, "beta", 1.0)) != 1.0 ||
      GONOGO_TRY(call.NumberAt(4, "alpha", 1.0)) != 1.0) {
    return InputError("beta and alpha have to be 1");
  }
  Call product{call.graph, "matmul", {}, {}};
  product.given = {Value(GONOGO_TRY(call.TensorAt(1, "mat1"))),
                   Value(GONOGO_TRY(call.TensorAt(2, "mat2")))};
  ScriptTensor* result = std::get<ScriptTensor*>(GONOGO_TRY(Matmul(product)));
  ScriptTensor* addend = GONOGO_TRY(call.TensorAt(0, "self"));
  return Value(GONOGO_TRY(Combine(call.graph, "Add", result, addend)));
}

Result<Value> Conv1d(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "input"));
  ScriptTensor* weight = GONOGO_TRY(call.TensorAt(1, "weight"));
  const auto one = [&](std::size_t place, const char* key, std::int64_t otherwise) {
    if (!call.Has(place, key)) return Result<std::int64_t>(otherwise);
    const Result<Shape> given = call.WholesAt(place, key);
    if (!given.ok()) return Result<std::int64_t>(given.error());
    if (given.value().size() != 1) return Result<std::int64_t>(InputError("{} of one axis", key));
    return Result<std::int64_t>(given.value()[0]);
  };
  const std::int64_t stride = GONOGO_TRY(one(3, "stride", 1));
  const std::int64_t padding = GONOGO_TRY(one(4, "padding", 0));
  const std::int64_t dilation = GONOGO_TRY(one(5, "dilation", 1));
  const std::int64_t groups = GONOGO_TRY(call.WholeAt(6, "groups", 1));
  constexpr std::int64_t kWidest = 1 << 20;
  if (x->rank() != 3 || weight->rank() != 3 || x->shape[1] != weight->shape[1] || groups != 1 ||
      stride < 1 || dilation < 1 || padding < 0 || dilation > kWidest || padding > kWidest) {
    return InputError("weights of shape {} ({} groups) on {}", ToString(weight->shape), groups,
                      ToString(x->shape));
  }
  const std::int64_t reach = dilation * (weight->shape[2] - 1) + 1;
  const std::int64_t left = x->shape[2] + 2 * padding - reach;
  if (left < 0) return InputError("a window of {} on {} values", reach, x->shape[2]);
  std::vector<ScriptTensor*> inputs{x, weight};
  if (call.Has(2, "bias")) inputs.push_back(GONOGO_TRY(call.TensorAt(2, "bias")));
  return Value(GONOGO_TRY(
      call.graph.Apply("Conv", inputs, {x->shape[0], weight->shape[0], left / stride + 1},
                       [&](::onnx::NodeProto& node) {
                         SetAttribute(node, "strides", std::vector<std::int64_t>{stride});
                         SetAttribute(node, "pads", std::vector<std::int64_t>{padding, padding});
                         SetAttribute(node, "dilations", std::vector<std::int64_t>{dilation});
                       })));
}

Result<Value> Softmax(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", x->rank()));
  return Value(
      GONOGO_TRY(call.graph.Apply("Softmax", {x}, x->shape, [axis](::onnx::NodeProto& node) {
        SetAttribute(node, "axis", axis);
      })));
}

/// The axes of a reduction; all of them where none are given.
Result<Shape> AxesOf(const Call& call, std::size_t place, const ScriptTensor& x) {
  Shape axes;
  if (call.Has(place, "dim")) axes = GONOGO_TRY(call.WholesAt(place, "dim"));
  if (axes.empty()) {
    for (std::int64_t d = 0; d < x.rank(); ++d) axes.push_back(d);
  }
  for (std::int64_t& axis : axes) {
    if (axis < -x.rank() || axis >= x.rank()) return InputError("axis {}", axis);
    axis += axis < 0 ? x.rank() : 0;
  }
  return axes;
}

/// ReduceSum takes its axes as an input, the others as an attribute.
Result<ScriptTensor*> Reduce(ScriptGraph& graph, std::string_view op, ScriptTensor* x,
                             const Shape& axes, bool keep) {
  Shape shape;
  for (std::int64_t d = 0; d < x->rank(); ++d) {
    const bool gone = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (!gone) shape.push_back(x->shape[static_cast<std::size_t>(d)]);
    if (gone && keep) shape.push_back(1);
  }
  std::vector<std::string> inputs{GONOGO_TRY(graph.NameOf(*x))};
  const bool as_input = op == "ReduceSum";
  if (as_input) inputs.push_back(graph.Integers(axes));
  return GONOGO_TRY(graph.ApplyTo(op, inputs, {shape},
                                  [&](::onnx::NodeProto& node) {
                                    if (!as_input) SetAttribute(node, "axes", axes);
                                    SetAttribute(node, "keepdims", std::int64_t{keep ? 1 : 0});
                                  }))
      .front();
}

constexpr char kSum[] = "ReduceSum";
constexpr char kMean[] = "ReduceMean";
constexpr char kMaximum[] = "ReduceMax";

template <const char* kName>
Result<Value> Reduction(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const Shape axes = GONOGO_TRY(AxesOf(call, 1, *x));
  const bool keep = GONOGO_TRY(call.TruthAt(2, "keepdim", false));
  return Value(GONOGO_TRY(Reduce(call.graph, kName, x, axes, keep)));
}

/// The root of the sum of squares, or the sum of sizes.
Result<Value> Norm(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const double power = GONOGO_TRY(call.NumberAt(1, "p", 2.0));
  const Shape axes = GONOGO_TRY(AxesOf(call, 2, *x));
  const bool keep = GONOGO_TRY(call.TruthAt(3, "keepdim", false));
  if (power == 2.0) return Value(GONOGO_TRY(Reduce(call.graph, "ReduceL2", x, axes, keep)));
  if (power != 1.0) return InputError("a norm of order {}, expected 1 or 2", power);
  ScriptTensor* sizes = GONOGO_TRY(call.graph.Apply("Abs", {x}, x->shape));
  return Value(GONOGO_TRY(Reduce(call.graph, "ReduceSum", sizes, axes, keep)));
}

/// (x - mean) / sqrt(variance + eps) over the last axis, then times weight plus bias.
Result<Value> LayerNorm(const Call& call) {
  ScriptGraph& graph = call.graph;
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "input"));
  const Shape normalised = GONOGO_TRY(call.WholesAt(1, "normalized_shape"));
  if (normalised.size() != 1 || x->rank() < 1 || normalised[0] != x->shape.back()) {
    return InputError("over {} of {}: only the last axis is supported", ToString(normalised),
                      ToString(x->shape));
  }
  const Shape last{x->rank() - 1};
  ScriptTensor* mean = GONOGO_TRY(Reduce(graph, "ReduceMean", x, last, true));
  ScriptTensor* centred = GONOGO_TRY(Combine(graph, "Sub", x, mean));
  ScriptTensor* square = GONOGO_TRY(Combine(graph, "Mul", centred, centred));
  ScriptTensor* variance = GONOGO_TRY(Reduce(graph, "ReduceMean", square, last, true));
  const double eps = GONOGO_TRY(call.NumberAt(4, "eps", 1e-5));
  ScriptTensor* more = GONOGO_TRY(Combine(graph, "Add", variance, graph.Number(eps)));
  ScriptTensor* spread = GONOGO_TRY(graph.Apply("Sqrt", {more}, more->shape));
  ScriptTensor* result = GONOGO_TRY(Combine(graph, "Div", centred, spread));
  if (call.Has(2, "weight")) {
    ScriptTensor* weight = GONOGO_TRY(call.TensorAt(2, "weight"));
    result = GONOGO_TRY(Combine(graph, "Mul", result, weight));
  }
  if (call.Has(3, "bias")) {
    ScriptTensor* bias = GONOGO_TRY(call.TensorAt(3, "bias"));
    result = GONOGO_TRY(Combine(graph, "Add", result, bias));
  }
  return Value(result);
}

}  // namespace

const OperatorTable& LayerOperators() {
  static const OperatorTable table = {
      {"linear", Linear},
      {"matmul", Matmul},
      {"mm", Matmul},
      {"addmm", AddMm},
      {"conv1d", Conv1d},
      {"softmax", Softmax},
      {"sum", Reduction<kSum>},
      {"mean", Reduction<kMean>},
      {"amax", Reduction<kMaximum>},
      {"norm", Norm},
      {"linalg_vector_norm", Norm},
      {"layer_norm", LayerNorm},
      {"lstm", Lstm},
      {"gru", Gru},
  };
  return table;
}

}  // namespace gonogo::nn::torchscript
