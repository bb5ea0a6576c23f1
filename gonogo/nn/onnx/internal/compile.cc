// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/compile.h"

#include <map>
#include <string>
#include <utility>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

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
