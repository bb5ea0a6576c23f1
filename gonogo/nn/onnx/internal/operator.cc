// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/operator.h"

#include <algorithm>
#include <limits>

namespace gonogo::nn::graph {
namespace {

using enum AttributeKind;

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr AttributeRule kAlpha{"alpha", kFloat};
constexpr AttributeRule kAxis{"axis", kInt};
constexpr AttributeRule kAxes{"axes", kInts};
constexpr AttributeRule kDirection{"direction", kText};
constexpr AttributeRule kActivations{"activations", kTexts};
constexpr AttributeRule kHiddenSize{"hidden_size", kInt};
constexpr AttributeRule kKeepDims{"keepdims", kInt};
constexpr AttributeRule kNoop{"noop_with_empty_axes", kInt};
constexpr AttributeRule kLayout{"layout", kInt};

// Name, lowering, least and most inputs, most outputs, attributes.
constexpr auto kOperators = std::to_array<Operator>({
    {"Abs", LowerAbs, 1, 1, 1},
    {"Add", LowerBinary<BinaryOp::kAdd>, 2, 2, 1},
    {"BatchNormalization",
     LowerBatchNormalization,
     5,
     5,
     1,
     {{{"epsilon", kFloat}, {"momentum", kFloat}, {"training_mode", kInt}, {"spatial", kInt}}}},
    {"Cast", LowerCast, 1, 1, 1, {{{"to", kInt}}}},
    {"Clip", LowerClip, 1, 3, 1, {{{"min", kFloat}, {"max", kFloat}}}},
    {"Concat", LowerConcat, 1, kAny, 1, {{kAxis}}},
    {"Constant",
     LowerConstant,
     0,
     0,
     1,
     {{{"value", kTensor},
       {"value_float", kFloat},
       {"value_floats", kFloats},
       {"value_int", kInt},
       {"value_ints", kInts}}}},
    {"Conv",
     LowerConv,
     2,
     3,
     1,
     {{{"kernel_shape", kInts},
       {"strides", kInts},
       {"dilations", kInts},
       {"pads", kInts},
       {"group", kInt},
       {"auto_pad", kText}}}},
    {"Div", LowerBinary<BinaryOp::kDiv>, 2, 2, 1},
    {"Elu", LowerElu, 1, 1, 1, {{kAlpha}}},
    {"Exp", LowerUnary<UnaryOp::kExp>, 1, 1, 1},
    {"Expand", LowerExpand, 2, 2, 1},
    {"Flatten", LowerFlatten, 1, 1, 1, {{kAxis}}},
    {"GRU",
     LowerGru,
     3,
     6,
     2,
     {{kDirection, kActivations, kHiddenSize, kLayout, {"linear_before_reset", kInt}}}},
    {"Gather", LowerGather, 2, 2, 1, {{kAxis}}},
    {"Gemm", LowerGemm, 2, 3, 1, {{kAlpha, {"beta", kFloat}, {"transA", kInt}, {"transB", kInt}}}},
    {"Identity", LowerIdentity, 1, 1, 1},
    {"LSTM",
     LowerLstm,
     3,
     7,
     3,
     {{kDirection, kActivations, kHiddenSize, kLayout, {"input_forget", kInt}}}},
    {"LayerNormalization",
     LowerLayerNormalization,
     2,
     3,
     3,
     {{kAxis, {"epsilon", kFloat}, {"stash_type", kInt}}}},
    {"LeakyRelu", LowerLeakyRelu, 1, 1, 1, {{kAlpha}}},
    {"Log", LowerUnary<UnaryOp::kLog>, 1, 1, 1},
    {"MatMul", LowerMatMul, 2, 2, 1},
    {"Max", LowerMany<BinaryOp::kMax>, 1, kAny, 1},
    {"Min", LowerMany<BinaryOp::kMin>, 1, kAny, 1},
    {"Mul", LowerBinary<BinaryOp::kMul>, 2, 2, 1},
    {"Neg", LowerNeg, 1, 1, 1},
    {"Pow", LowerBinary<BinaryOp::kPow>, 2, 2, 1},
    {"ReduceL2", LowerReduction<Reduction::kL2>, 1, 2, 1, {{kAxes, kKeepDims, kNoop}}},
    {"ReduceMax", LowerReduction<Reduction::kMax>, 1, 2, 1, {{kAxes, kKeepDims, kNoop}}},
    {"ReduceMean", LowerReduction<Reduction::kMean>, 1, 2, 1, {{kAxes, kKeepDims, kNoop}}},
    {"ReduceSum", LowerReduction<Reduction::kSum>, 1, 2, 1, {{kAxes, kKeepDims, kNoop}}},
    {"Relu", LowerUnary<UnaryOp::kRelu>, 1, 1, 1},
    {"Reshape", LowerReshape, 1, 2, 1, {{{"shape", kInts}, {"allowzero", kInt}}}},
    {"Shape", LowerShape, 1, 1, 1},
    {"Sigmoid", LowerUnary<UnaryOp::kSigmoid>, 1, 1, 1},
    {"Slice", LowerSlice, 1, 5, 1, {{{"starts", kInts}, {"ends", kInts}, kAxes}}},
    {"Softmax", LowerSoftmax, 1, 1, 1, {{kAxis}}},
    {"Softplus", LowerUnary<UnaryOp::kSoftplus>, 1, 1, 1},
    {"Split", LowerSplit, 1, 2, kAny, {{kAxis, {"split", kInts}, {"num_outputs", kInt}}}},
    {"Sqrt", LowerUnary<UnaryOp::kSqrt>, 1, 1, 1},
    {"Squeeze", LowerSqueeze, 1, 2, 1, {{kAxes}}},
    {"Sub", LowerBinary<BinaryOp::kSub>, 2, 2, 1},
    {"Tanh", LowerUnary<UnaryOp::kTanh>, 1, 1, 1},
    {"Transpose", LowerTranspose, 1, 1, 1, {{{"perm", kInts}}}},
    {"TreeEnsembleRegressor",
     LowerTrees,
     1,
     1,
     1,
     {{{"nodes_treeids", kInts},
       {"nodes_nodeids", kInts},
       {"nodes_featureids", kInts},
       {"nodes_values", kFloats},
       {"nodes_modes", kTexts},
       {"nodes_truenodeids", kInts},
       {"nodes_falsenodeids", kInts},
       {"nodes_missing_value_tracks_true", kInts},
       {"target_treeids", kInts},
       {"target_nodeids", kInts},
       {"target_ids", kInts},
       {"target_weights", kFloats},
       {"n_targets", kInt},
       {"base_values", kFloats},
       {"aggregate_function", kText},
       {"post_transform", kText}}}},
    {"Unsqueeze", LowerUnsqueeze, 1, 2, 1, {{kAxes}}},
});

std::string SupportedOperators() {
  std::string names;
  for (const Operator& op : kOperators) {
    if (!names.empty()) names += ' ';
    names += op.name;
  }
  return names;
}

Status CheckAttributes(const Operator& op, const Node& node) {
  for (const auto& [name, value] : node.attributes) {
    const auto rule = std::ranges::find(op.attributes, name, &AttributeRule::name);
    if (name.empty() || rule == op.attributes.end()) {
      return InputError("attribute '{}' is not supported", name);
    }
    if (value.index() != static_cast<std::size_t>(rule->kind)) {
      return InputError("attribute '{}' has the wrong type", name);
    }
  }
  return {};
}

Status CheckArity(const Operator& op, const Site& site) {
  const std::size_t inputs = site.inputs.size();
  if (inputs < op.min_inputs || inputs > op.max_inputs) {
    return InputError("the node has {} inputs, expected {} to {}", inputs, op.min_inputs,
                      op.max_inputs == kAny ? "any number" : fmt::to_string(op.max_inputs));
  }
  // Of operators with any number of inputs, all are compulsory.
  const std::size_t required = op.max_inputs == kAny ? inputs : op.min_inputs;
  for (std::size_t i = 0; i < required; ++i) {
    if (site.inputs[i] == nullptr) return InputError("input {} is left out", i);
  }
  const std::size_t outputs = site.node.outputs.size();
  if (outputs == 0 || outputs > op.max_outputs) {
    return InputError("the node has {} outputs, expected 1 to {}", outputs,
                      op.max_outputs == kAny ? "any number" : fmt::to_string(op.max_outputs));
  }
  return {};
}

Outputs CheckAndLower(const Site& site) {
  const auto* const op = std::ranges::find(kOperators, site.node.op, &Operator::name);
  if (op == kOperators.end()) {
    return InputError("this operator is not supported; these are: {}", SupportedOperators());
  }
  GONOGO_TRY(CheckAttributes(*op, site.node));
  GONOGO_TRY(CheckArity(*op, site));
  return op->lower(site);
}

}  // namespace

Result<std::optional<std::vector<std::int64_t>>> Site::Integers(std::string_view name,
                                                                std::size_t index) const {
  using Found = std::optional<std::vector<std::int64_t>>;
  if (has_attribute(name)) return Found(attribute(name, std::vector<std::int64_t>()));
  const Tensor* const given = optional_input(index);
  if (given == nullptr) return Found();
  if (given->integers() == nullptr || given->rank() > 1) {
    return InputError("input {} ({}) must be a constant list of integers", index, name);
  }
  return Found(*given->integers());
}

Outputs Single(Result<Tensor> tensor) {
  if (!tensor.ok()) return tensor.error();
  std::vector<Tensor> outputs;
  outputs.push_back(std::move(tensor).value());
  return outputs;
}

Outputs Lower(const Site& site) {
  Outputs outputs = CheckAndLower(site);
  if (outputs.ok()) return outputs;
  return InputError("node '{}' ({}): {}", site.node.name, site.node.op, outputs.error().message);
}

}  // namespace gonogo::nn::graph
