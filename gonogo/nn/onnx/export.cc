// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/export.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <onnx/onnx_pb.h>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/graph_writer.h"

namespace gonogo::nn {
namespace {

std::int64_t Outputs(const OnnxNetwork& network) {
  return static_cast<std::int64_t>(network.members.front().back().bias.size());
}

std::int64_t Inputs(const OnnxNetwork& network) {
  const DenseLayer& first = network.members.front().front();
  return static_cast<std::int64_t>(first.weight.size() / first.bias.size());
}

void CheckNetwork(const OnnxNetwork& network) {
  GONOGO_CHECK(!network.members.empty() && network.input_name != network.output_name);
  const auto inputs = static_cast<std::size_t>(Inputs(network));
  const auto outputs = static_cast<std::size_t>(Outputs(network));
  for (const std::vector<DenseLayer>& member : network.members) {
    std::size_t width = inputs;
    for (const DenseLayer& layer : member) {
      GONOGO_CHECK(!layer.bias.empty() && layer.weight.size() == width * layer.bias.size());
      width = layer.bias.size();
    }
    GONOGO_CHECK(width == outputs);
  }
  GONOGO_CHECK(network.input.columns() == 0 || network.input.columns() == inputs);
  GONOGO_CHECK(network.target.columns() == 0 || network.target.columns() == outputs);
  GONOGO_CHECK(network.is_probability.empty() || network.is_probability.size() == outputs);
}

std::string WriteActivation(GraphWriter& graph, Activation activation, std::string x) {
  switch (activation) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return graph.Apply("Relu", {x}, x + ".relu");
    case Activation::kElu:
      return graph.Apply("Elu", {x}, x + ".elu");
    case Activation::kTanh:
      return graph.Apply("Tanh", {x}, x + ".tanh");
  }
  GONOGO_CHECK(false);
}

std::string WriteMember(GraphWriter& graph, const std::vector<DenseLayer>& layers,
                        const std::string& prefix, std::string x) {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto outputs = static_cast<std::int64_t>(layers[l].bias.size());
    const auto inputs = static_cast<std::int64_t>(layers[l].weight.size()) / outputs;
    const std::string name = fmt::format("{}layer{}", prefix, l);
    const std::string weight = graph.Floats(name + ".weight", layers[l].weight, {inputs, outputs});
    const std::string bias = graph.Floats(name + ".bias", layers[l].bias, {outputs});
    x = WriteActivation(graph, layers[l].activation, graph.Apply("Gemm", {x, weight, bias}, name));
  }
  return x;
}

/// All members side by side: [rows, members, outputs].
std::string WriteStack(GraphWriter& graph, const OnnxNetwork& network, const std::string& x) {
  std::vector<std::string> members;
  for (std::size_t m = 0; m < network.members.size(); ++m) {
    const std::string prefix = fmt::format("member{}.", m);
    members.push_back(WriteMember(graph, network.members[m], prefix, x));
  }
  SetAttribute(graph.Node("Concat", members, {"members.flat"}), "axis", std::int64_t{1});
  const std::string shape = graph.Integers(
      "members.shape", {0, static_cast<std::int64_t>(members.size()), Outputs(network)});
  return graph.Apply("Reshape", {"members.flat", shape}, "members");
}

/// Applies the logistic function to the outputs that are logits, run by run of the last axis.
std::string WriteProbabilities(GraphWriter& graph, const std::vector<bool>& is_probability,
                               const std::string& y) {
  std::vector<std::int64_t> lengths;
  std::vector<std::string> runs;
  for (std::size_t j = 0; j < is_probability.size(); ++j) {
    if (j == 0 || is_probability[j] != is_probability[j - 1]) {
      lengths.push_back(0);
      runs.push_back(fmt::format("outputs.from{}", j));
    }
    ++lengths.back();
  }
  const std::string sizes = graph.Integers("outputs.lengths", lengths);
  SetAttribute(graph.Node("Split", {y, sizes}, runs), "axis", std::int64_t{-1});
  bool probability = is_probability.front();
  for (std::string& run : runs) {
    if (probability) run = graph.Apply("Sigmoid", {run}, fmt::format("{}.probability", run));
    probability = !probability;
  }
  SetAttribute(graph.Node("Concat", runs, {"outputs.joined"}), "axis", std::int64_t{-1});
  return "outputs.joined";
}

using Tensors = std::map<std::string, const ::onnx::TensorProto*>;

Status CopyTensor(const std::string& file, const Tensors& tensors, const std::string& name,
                  std::span<float> values) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) return InputError("{}: has no tensor {}", file, name);
  const std::string& raw = found->second->raw_data();
  if (raw.size() != values.size_bytes()) {
    return InputError("{}: tensor {} has {} bytes, expected {}", file, name, raw.size(),
                      values.size_bytes());
  }
  std::memcpy(values.data(), raw.data(), raw.size());
  return {};
}

}  // namespace

std::string WriteNetwork(const OnnxNetwork& network, std::string x, GraphWriter& graph) {
  CheckNetwork(network);
  if (network.input.columns() > 0) {
    const std::string mean = graph.Row("input.mean", network.input.mean);
    const std::string scale = graph.Row("input.scale", network.input.scale);
    x = graph.Apply("Sub", {x, mean}, "input.centred");
    x = graph.Apply("Div", {x, scale}, "input.standardised");
  }
  x = network.members.size() == 1 ? WriteMember(graph, network.members.front(), "", x)
                                  : WriteStack(graph, network, x);
  if (network.target.columns() > 0) {
    const std::string scale = graph.Row("target.scale", network.target.scale);
    const std::string mean = graph.Row("target.mean", network.target.mean);
    x = graph.Apply("Mul", {x, scale}, "target.scaled");
    x = graph.Apply("Add", {x, mean}, "target.raw");
  }
  if (std::ranges::find(network.is_probability, true) != network.is_probability.end()) {
    x = WriteProbabilities(graph, network.is_probability, x);
  }
  return x;
}

OnnxNetwork DescribeOnnx(const Mlp<float>& network) {
  const MlpShape& shape = network.shape();
  std::vector<DenseLayer> layers;
  for (int l = 0; l < shape.layers(); ++l) {
    const auto outputs = static_cast<std::size_t>(shape.sizes[l + 1]);
    layers.push_back(
        {network.parameters().subspan(network.weight_offset(l), shape.sizes[l] * outputs),
         network.parameters().subspan(network.bias_offset(l), outputs),
         l + 1 < shape.layers() ? shape.hidden : shape.output});
  }
  return {.members = {std::move(layers)}};
}

OnnxNetwork DescribeOnnx(const Ensemble& ensemble) {
  OnnxNetwork network{.input = ensemble.input, .target = ensemble.target};
  for (const Mlp<float>& member : ensemble.members) {
    network.members.push_back(std::move(DescribeOnnx(member).members.front()));
  }
  for (const Loss loss : ensemble.losses) {
    network.is_probability.push_back(loss == Loss::kBinaryCrossEntropy);
  }
  return network;
}

std::string SerialiseOnnx(const OnnxNetwork& network) {
  CheckNetwork(network);
  GraphWriter graph;
  graph.Input(network.input_name, {Inputs(network)});
  std::vector<std::int64_t> row = {Outputs(network)};
  if (network.members.size() > 1) {
    row.insert(row.begin(), static_cast<std::int64_t>(network.members.size()));
  }
  graph.Output(network.output_name, row);
  graph.Apply("Identity", {WriteNetwork(network, network.input_name, graph)}, network.output_name);
  return graph.Finish(network.metadata);
}

Status WriteOnnx(const std::filesystem::path& file, const OnnxNetwork& network) {
  return io::WriteFile(file, SerialiseOnnx(network));
}

Status ReadOnnxWeights(const std::filesystem::path& file, Ensemble& ensemble) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  ::onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return InputError("{}: not ONNX", file.string());
  Tensors tensors;
  for (const ::onnx::TensorProto& tensor : model.graph().initializer()) {
    tensors[tensor.name()] = &tensor;
  }
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    Mlp<float>& member = ensemble.members[m];
    const std::string prefix = ensemble.members.size() > 1 ? fmt::format("member{}.", m) : "";
    for (int l = 0; l < member.shape().layers(); ++l) {
      const std::string name = fmt::format("{}layer{}", prefix, l);
      const std::size_t weights = member.bias_offset(l) - member.weight_offset(l);
      const auto biases = static_cast<std::size_t>(member.shape().sizes[l + 1]);
      Status copied = CopyTensor(file.string(), tensors, name + ".weight",
                                 member.parameters().subspan(member.weight_offset(l), weights));
      if (!copied.ok()) return copied;
      copied = CopyTensor(file.string(), tensors, name + ".bias",
                          member.parameters().subspan(member.bias_offset(l), biases));
      if (!copied.ok()) return copied;
    }
  }
  return {};
}

}  // namespace gonogo::nn
