// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/graph.h"

#include <limits>
#include <utility>

#include "gonogo/nn/onnx/internal/tensor_proto.h"

namespace gonogo::nn::graph {
namespace {

using Directory = std::optional<std::filesystem::path>;

// Between these versions of the standard the operators we know changed only in ways we read.
constexpr std::int64_t kOldestOpset = 7;
constexpr std::int64_t kNewestOpset = 22;

Error Within(const std::string& place, const Error& error) {
  return {error.kind, place + ": " + error.message};
}

bool IsStandardDomain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

/// Trees have a domain of their own in the standard.
bool IsKnownDomain(const ::onnx::NodeProto& node) {
  if (node.op_type() == "TreeEnsembleRegressor") return node.domain() == "ai.onnx.ml";
  return IsStandardDomain(node.domain());
}

Status CheckOpset(const ::onnx::ModelProto& model) {
  for (const auto& import : model.opset_import()) {
    if (!IsStandardDomain(import.domain())) continue;
    if (import.version() < kOldestOpset || import.version() > kNewestOpset) {
      return InputError("opset is {}, expected {} to {}", import.version(), kOldestOpset,
                        kNewestOpset);
    }
    return {};
  }
  return InputError("no opset of the standard operators is declared");
}

Result<Port> ReadPort(const ::onnx::ValueInfoProto& proto) {
  if (!proto.type().has_tensor_type()) return InputError("'{}' is not a tensor", proto.name());
  const auto& type = proto.type().tensor_type();
  if (type.elem_type() != ::onnx::TensorProto::FLOAT &&
      type.elem_type() != ::onnx::TensorProto::FLOAT16 &&
      type.elem_type() != ::onnx::TensorProto::DOUBLE) {
    return InputError("'{}' has data type {}, expected FLOAT, FLOAT16 or DOUBLE", proto.name(),
                      DataTypeName(type.elem_type()));
  }
  if (!type.has_shape()) return InputError("'{}' has no shape", proto.name());
  Port port{.name = proto.name()};
  for (const auto& dim : type.shape().dim()) {
    if (dim.has_dim_value() && dim.dim_value() <= 0) {
      return InputError("'{}' has dimension {}, expected a positive one", proto.name(),
                        dim.dim_value());
    }
    port.shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  }
  return port;
}

Result<Attribute> ReadAttribute(const ::onnx::AttributeProto& proto, const Directory& directory) {
  switch (proto.type()) {
    case ::onnx::AttributeProto::FLOAT:
      return Attribute(proto.f());
    case ::onnx::AttributeProto::INT:
      return Attribute(static_cast<std::int64_t>(proto.i()));
    case ::onnx::AttributeProto::STRING:
      return Attribute(proto.s());
    case ::onnx::AttributeProto::FLOATS:
      return Attribute(std::vector<float>(proto.floats().begin(), proto.floats().end()));
    case ::onnx::AttributeProto::INTS:
      return Attribute(std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end()));
    case ::onnx::AttributeProto::STRINGS:
      return Attribute(std::vector<std::string>(proto.strings().begin(), proto.strings().end()));
    case ::onnx::AttributeProto::TENSOR: {
      Tensor tensor = GONOGO_TRY(ReadTensor(proto.t(), directory));
      return Attribute(std::move(tensor));
    }
    default:
      return InputError("type {} is not supported",
                        ::onnx::AttributeProto::AttributeType_Name(proto.type()));
  }
}

Result<Node> ReadNode(const ::onnx::NodeProto& proto, const Directory& directory) {
  Node node{.name = proto.name(),
            .op = proto.op_type(),
            .inputs = {proto.input().begin(), proto.input().end()},
            .outputs = {proto.output().begin(), proto.output().end()}};
  if (node.name.empty() && !node.outputs.empty()) node.name = node.outputs.front();
  const std::string place = fmt::format("node '{}' ({})", node.name, node.op);
  if (!IsKnownDomain(proto)) {
    return InputError("{}: operators of domain '{}' are not supported", place, proto.domain());
  }
  for (const auto& attribute : proto.attribute()) {
    Result<Attribute> value = ReadAttribute(attribute, directory);
    if (!value.ok()) return Within(place + ": attribute " + attribute.name(), value.error());
    node.attributes.emplace(attribute.name(), std::move(value).value());
  }
  return node;
}

Status ReadInitializers(const ::onnx::GraphProto& proto, const Directory& directory, Graph& graph) {
  if (proto.sparse_initializer_size() > 0) {
    return InputError("sparse initializers are not supported");
  }
  for (const auto& initializer : proto.initializer()) {
    Result<Tensor> tensor = ReadTensor(initializer, directory);
    if (!tensor.ok()) return Within("initializer '" + initializer.name() + "'", tensor.error());
    if (!graph.initializers.emplace(initializer.name(), std::move(tensor).value()).second) {
      return InputError("initializer '{}' is there twice", initializer.name());
    }
  }
  return {};
}

Status ReadPorts(const ::onnx::GraphProto& proto, Graph& graph) {
  for (const auto& input : proto.input()) {
    if (graph.initializers.contains(input.name())) continue;  // files before IR 4 list them here
    Result<Port> port = ReadPort(input);
    if (!port.ok()) return Within("input", port.error());
    graph.inputs.push_back(std::move(port).value());
  }
  for (const auto& output : proto.output()) {
    Result<Port> port = ReadPort(output);
    if (!port.ok()) return Within("output", port.error());
    graph.outputs.push_back(std::move(port).value());
  }
  if (graph.outputs.empty()) return InputError("the graph has no output");
  return {};
}

}  // namespace

Result<Graph> ReadGraph(std::string_view bytes, const Directory& directory) {
  if (bytes.starts_with("PK\x03\x04")) {  // a zip archive
    return InputError(
        "not an ONNX model but an archive, probably of TorchScript. With PyTorch it is exported "
        "by\n"
        "  policy = torch.jit.load(\"policy.pt\").eval()\n"
        "  observation = torch.zeros(1, N)   # N values, as the policy takes them\n"
        "  torch.onnx.export(policy, observation, \"policy.onnx\", opset_version=17)");
  }
  ::onnx::ModelProto model;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph()) {
    return InputError("not an ONNX model ({} bytes)", bytes.size());
  }
  GONOGO_TRY(CheckOpset(model));
  Graph graph;
  GONOGO_TRY(ReadInitializers(model.graph(), directory, graph));
  GONOGO_TRY(ReadPorts(model.graph(), graph));
  for (const auto& proto : model.graph().node()) {
    Node node = GONOGO_TRY(ReadNode(proto, directory));
    graph.nodes.push_back(std::move(node));
  }
  for (const auto& entry : model.metadata_props()) {
    graph.metadata.emplace(entry.key(), entry.value());
  }
  return graph;
}

}  // namespace gonogo::nn::graph
