// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/operator.h"

#include <algorithm>
#include <limits>
#include <map>

namespace gonogo::nn::graph {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kReduction = "axes:ints keepdims:int noop_with_empty_axes:int";

/// The alternatives of `Attribute`, in its order.
constexpr std::array<std::string_view, 7> kKinds = {"float", "int",   "text",  "floats",
                                                    "ints",  "texts", "tensor"};

// Name, lowering, least and most inputs, most outputs, attributes.
constexpr auto kOperators = std::to_array<Operator>({
    {"Abs", LowerAbs, 1, 1, 1},
    {"Add", LowerBinary<BinaryOp::kAdd>, 2, 2, 1},
    {"BatchNormalization", LowerBatchNormalization, 5, 5, 1,
     "epsilon:float momentum:float training_mode:int spatial:int"},
    {"Cast", LowerCast, 1, 1, 1, "to:int"},
    {"Clip", LowerClip, 1, 3, 1, "min:float max:float"},
    {"Concat", LowerConcat, 1, kAny, 1, "axis:int"},
    {"Constant", LowerConstant, 0, 0, 1,
     "value:tensor value_float:float value_floats:floats value_int:int value_ints:ints"},
    {"Conv", LowerConv, 2, 3, 1,
     "kernel_shape:ints strides:ints dilations:ints pads:ints group:int auto_pad:text"},
    {"Div", LowerBinary<BinaryOp::kDiv>, 2, 2, 1},
    {"Elu", LowerElu, 1, 1, 1, "alpha:float"},
    {"Exp", LowerUnary<UnaryOp::kExp>, 1, 1, 1},
    {"Expand", LowerExpand, 2, 2, 1},
    {"Flatten", LowerFlatten, 1, 1, 1, "axis:int"},
    {"GRU", LowerGru, 3, 6, 2,
     "direction:text activations:texts hidden_size:int layout:int linear_before_reset:int"},
    {"Gather", LowerGather, 2, 2, 1, "axis:int"},
    {"Gemm", LowerGemm, 2, 3, 1, "alpha:float beta:float transA:int transB:int"},
    {"Identity", LowerIdentity, 1, 1, 1},
    {"IsNaN", LowerUnary<UnaryOp::kIsNaN>, 1, 1, 1},
    {"LSTM", LowerLstm, 3, 7, 3,
     "direction:text activations:texts hidden_size:int layout:int input_forget:int"},
    {"LayerNormalization", LowerLayerNormalization, 2, 3, 3,
     "axis:int epsilon:float stash_type:int"},
    {"LeakyRelu", LowerLeakyRelu, 1, 1, 1, "alpha:float"},
    {"Log", LowerUnary<UnaryOp::kLog>, 1, 1, 1},
    {"MatMul", LowerMatMul, 2, 2, 1},
    {"Max", LowerMany<BinaryOp::kMax>, 1, kAny, 1},
    {"Min", LowerMany<BinaryOp::kMin>, 1, kAny, 1},
    {"Mul", LowerBinary<BinaryOp::kMul>, 2, 2, 1},
    {"Neg", LowerNeg, 1, 1, 1},
    {"Pow", LowerBinary<BinaryOp::kPow>, 2, 2, 1},
    {"ReduceL2", LowerReduction<Reduction::kL2>, 1, 2, 1, kReduction},
    {"ReduceMax", LowerReduction<Reduction::kMax>, 1, 2, 1, kReduction},
    {"ReduceMean", LowerReduction<Reduction::kMean>, 1, 2, 1, kReduction},
    {"ReduceSum", LowerReduction<Reduction::kSum>, 1, 2, 1, kReduction},
    {"Relu", LowerUnary<UnaryOp::kRelu>, 1, 1, 1},
    {"Reshape", LowerReshape, 1, 2, 1, "shape:ints allowzero:int"},
    {"Shape", LowerShape, 1, 1, 1},
    {"Sigmoid", LowerUnary<UnaryOp::kSigmoid>, 1, 1, 1},
    {"Slice", LowerSlice, 1, 5, 1, "starts:ints ends:ints axes:ints"},
    {"Softmax", LowerSoftmax, 1, 1, 1, "axis:int"},
    {"Softplus", LowerUnary<UnaryOp::kSoftplus>, 1, 1, 1},
    {"Split", LowerSplit, 1, 2, kAny, "axis:int split:ints num_outputs:int"},
    {"Sqrt", LowerUnary<UnaryOp::kSqrt>, 1, 1, 1},
    {"Squeeze", LowerSqueeze, 1, 2, 1, "axes:ints"},
    {"Sub", LowerBinary<BinaryOp::kSub>, 2, 2, 1},
    {"Tanh", LowerUnary<UnaryOp::kTanh>, 1, 1, 1},
    {"Transpose", LowerTranspose, 1, 1, 1, "perm:ints"},
    {"TreeEnsembleRegressor", LowerTrees, 1, 1, 1,
     "nodes_treeids:ints nodes_nodeids:ints nodes_featureids:ints nodes_values:floats "
     "nodes_modes:texts nodes_truenodeids:ints nodes_falsenodeids:ints "
     "nodes_missing_value_tracks_true:ints target_treeids:ints target_nodeids:ints "
     "target_ids:ints target_weights:floats n_targets:int base_values:floats "
     "aggregate_function:text post_transform:text"},
    {"Unsqueeze", LowerUnsqueeze, 1, 2, 1, "axes:ints"},
    {"Where", LowerWhere, 3, 3, 1},
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
  const std::string rules = fmt::format(" {} ", op.attributes);
  for (const auto& [name, value] : node.attributes) {
    if (name.find_first_of(": ") != name.npos ||
        rules.find(fmt::format(" {}:", name)) == rules.npos) {
      return InputError("attribute '{}' is not supported", name);
    }
    if (rules.find(fmt::format(" {}:{} ", name, kKinds[value.index()])) == rules.npos) {
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

using Names = std::map<std::string, Tensor>;

Status Define(Names& names, const std::string& name, Tensor tensor) {
  if (names.emplace(name, std::move(tensor)).second) return {};
  return InputError("'{}' is defined twice", name);
}

Status CompileInputs(const Graph& graph, Names& names, Builder& builder, Compiled& compiled) {
  for (const Port& input : graph.inputs) {
    Port port = input;
    if (port.shape.size() > 1 && port.shape.back() < 0) {
      return InputError(
          "input '{}' leaves its last dimension open: how many values it takes is nowhere said. "
          "Export the network with a fixed number of features; only the batch may be dynamic",
          port.name);
    }
    for (std::int64_t& dim : port.shape) dim = dim < 0 ? 1 : dim;
    const Result<Tensor> tensor = builder.Input(port.shape);
    if (!tensor.ok()) return InputError("input '{}': {}", port.name, tensor.error().message);
    GONOGO_TRY(Define(names, port.name, tensor.value()));
    compiled.inputs.push_back(std::move(port));
  }
  return {};
}

Status CompileNode(const Node& node, Names& names, Builder& builder) {
  Site site{node, {}, builder};
  for (const std::string& name : node.inputs) {
    const auto found = names.find(name);
    if (!name.empty() && found == names.end()) {
      return InputError(
          "node '{}' ({}): reads '{}', which is no input, initializer or output of a node before",
          node.name, node.op, name);
    }
    site.inputs.push_back(name.empty() ? nullptr : &found->second);
  }
  Outputs outputs = Lower(site);
  if (!outputs.ok()) return outputs.error();
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    Status defined = Define(names, node.outputs[i], std::move(outputs.value()[i]));
    if (!defined.ok()) {
      return InputError("node '{}' ({}): {}", node.name, node.op, defined.error().message);
    }
  }
  return {};
}

bool Matches(const Shape& declared, const Shape& found) {
  if (declared.size() != found.size()) return false;
  for (std::size_t axis = 0; axis < found.size(); ++axis) {
    if (declared[axis] >= 0 && declared[axis] != found[axis]) return false;
  }
  return true;
}

Status CompileOutputs(const Graph& graph, const Names& names, Builder& builder,
                      Compiled& compiled) {
  for (const Port& output : graph.outputs) {
    const auto found = names.find(output.name);
    if (found == names.end()) {
      return InputError("output '{}' is computed by no node", output.name);
    }
    const Tensor& tensor = found->second;
    if (Status floats = RequireFloats(tensor); !floats.ok()) {
      return InputError("output '{}': {}", output.name, floats.error().message);
    }
    if (!Matches(output.shape, tensor.shape)) {
      return InputError("output '{}' has shape {}, but the file declares {}", output.name,
                        ToString(tensor.shape), ToString(output.shape));
    }
    if (tensor.size() == 0) return InputError("output '{}' is empty", output.name);
    builder.Output(tensor);
    compiled.outputs.push_back({output.name, tensor.shape});
  }
  return {};
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

Result<Compiled> Compile(const Graph& graph) {
  Compiled compiled;
  Builder builder;
  Names names = graph.initializers;
  GONOGO_TRY(CompileInputs(graph, names, builder, compiled));
  for (const Node& node : graph.nodes) {
    GONOGO_TRY(CompileNode(node, names, builder));
  }
  GONOGO_TRY(CompileOutputs(graph, names, builder, compiled));
  compiled.plan = std::move(builder).Finish();
  return compiled;
}

}  // namespace gonogo::nn::graph
