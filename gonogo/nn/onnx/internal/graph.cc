// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/graph.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include "gonogo/io/file.h"

namespace gonogo::nn::graph {
namespace {

using Directory = std::optional<std::filesystem::path>;

/// Where an external tensor lives in its file.
struct ExternalPlace {
  std::filesystem::path location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

Result<std::uint64_t> ParseCount(const std::string& key, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    return InputError("external data: {} is '{}', expected a whole number", key, text);
  }
  return value;
}

Result<ExternalPlace> ReadPlace(const ::onnx::TensorProto& proto) {
  ExternalPlace place;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const std::uint64_t count = GONOGO_TRY(ParseCount(entry.key(), entry.value()));
    if (entry.key() == "offset") place.offset = count;
    if (entry.key() == "length") place.length = count;
  }
  const bool climbs = std::ranges::find(place.location, "..") != place.location.end();
  if (place.location.empty() || place.location.is_absolute() || climbs) {
    return InputError("external data: location is '{}', expected a path inside the model's folder",
                      place.location.string());
  }
  return place;
}

/// The external bytes of a tensor that needs `expected` of them.
Result<std::string> ReadExternal(const ::onnx::TensorProto& proto, const Directory& directory,
                                 std::size_t expected) {
  if (!directory) return InputError("external data need a model that was read from a file");
  const ExternalPlace place = GONOGO_TRY(ReadPlace(proto));
  const io::MappedFile file = GONOGO_TRY(io::MappedFile::Open(*directory / place.location));
  const std::string_view bytes = file.bytes();
  const std::uint64_t offset = place.offset;
  const std::uint64_t length = place.length.value_or(expected);
  if (offset > bytes.size() || length > bytes.size() - offset) {
    return InputError("external data: {} bytes from {} are not in '{}', which has {}", length,
                      offset, place.location.string(), bytes.size());
  }
  return std::string(bytes.substr(offset, length));
}

template <typename Stored, typename Value>
Result<Tensor> FromBytes(Shape shape, std::size_t count, std::string_view bytes) {
  if (bytes.size() != count * sizeof(Stored)) {
    return InputError("shape {} needs {} bytes of data, found {}", ToString(shape),
                      count * sizeof(Stored), bytes.size());
  }
  std::vector<Stored> stored(count);
  if (count > 0) std::memcpy(stored.data(), bytes.data(), bytes.size());
  return Tensor::Constant(std::move(shape), std::vector<Value>(stored.begin(), stored.end()));
}

/// `field` is where the message keeps typed values when it has neither raw nor external bytes.
template <typename Stored, typename Value, typename Field>
Result<Tensor> Decode(const ::onnx::TensorProto& proto, const Field& field, std::size_t count,
                      const Directory& directory) {
  Shape shape(proto.dims().begin(), proto.dims().end());
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) {
    const std::string bytes = GONOGO_TRY(ReadExternal(proto, directory, count * sizeof(Stored)));
    return FromBytes<Stored, Value>(std::move(shape), count, bytes);
  }
  if (proto.has_raw_data()) {
    return FromBytes<Stored, Value>(std::move(shape), count, proto.raw_data());
  }
  if (static_cast<std::size_t>(field.size()) != count) {
    return InputError("shape {} needs {} values, found {}", ToString(shape), count, field.size());
  }
  return Tensor::Constant(std::move(shape), std::vector<Value>(field.begin(), field.end()));
}

/// The value of an IEEE 754 half-precision number.
float HalfValue(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  float value = 0.0F;
  if (exponent == 0x1F) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

/// Half precision is kept as bits: two bytes each, or one whole number of the message each.
Result<Tensor> DecodeHalf(const ::onnx::TensorProto& proto, std::size_t count,
                          const Directory& directory) {
  const Tensor bits = GONOGO_TRY(
      (Decode<std::uint16_t, std::int64_t>(proto, proto.int32_data(), count, directory)));
  std::vector<float> values;
  values.reserve(count);
  for (const std::int64_t pattern : *bits.integers()) {
    values.push_back(HalfValue(static_cast<std::uint16_t>(pattern)));
  }
  return Tensor::Constant(bits.shape, std::move(values));
}

/// The values of an initializer or tensor attribute, from the message itself or from the external
/// file it names, which must lie in `directory` or below it.
Result<Tensor> ReadTensor(const ::onnx::TensorProto& proto, const Directory& directory) {
  const std::size_t count = GONOGO_TRY(ElementCount({proto.dims().begin(), proto.dims().end()}));
  switch (proto.data_type()) {
    case ::onnx::TensorProto::FLOAT:
      return Decode<float, float>(proto, proto.float_data(), count, directory);
    case ::onnx::TensorProto::INT64:
      return Decode<std::int64_t, std::int64_t>(proto, proto.int64_data(), count, directory);
    case ::onnx::TensorProto::INT32:
      return Decode<std::int32_t, std::int64_t>(proto, proto.int32_data(), count, directory);
    case ::onnx::TensorProto::DOUBLE:
      return Decode<double, float>(proto, proto.double_data(), count, directory);
    case ::onnx::TensorProto::FLOAT16:
      return DecodeHalf(proto, count, directory);
    default:
      return InputError("data type is {}, expected FLOAT, FLOAT16, DOUBLE, INT64 or INT32",
                        DataTypeName(proto.data_type()));
  }
}

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

std::string ToString(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Result<std::size_t> ElementCount(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0) return InputError("shape {} has a negative dimension", ToString(shape));
    if (dim > kMaxElements || count * dim > kMaxElements) {
      return InputError("shape {} is too large, expected at most {} elements", ToString(shape),
                        kMaxElements);
    }
    count *= dim;
  }
  return static_cast<std::size_t>(count);
}

std::size_t Extent(const Shape& shape, std::size_t first, std::size_t last) {
  std::size_t extent = 1;
  for (std::size_t axis = first; axis < last; ++axis) {
    extent *= static_cast<std::size_t>(shape[axis]);
  }
  return extent;
}

Result<std::size_t> ResolveAxis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return InputError("axis is {}, expected a value in [{}, {})", axis, -signed_rank, signed_rank);
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

Tensor Tensor::Constant(Shape shape, std::vector<float> values) {
  return {std::move(shape), std::make_shared<const std::vector<float>>(std::move(values))};
}

Tensor Tensor::Constant(Shape shape, std::vector<std::int64_t> values) {
  return {std::move(shape), std::make_shared<const std::vector<std::int64_t>>(std::move(values))};
}

const std::vector<float>* Tensor::floats() const {
  const auto* held = std::get_if<std::shared_ptr<const std::vector<float>>>(&data);
  return held == nullptr ? nullptr : held->get();
}

const std::vector<std::int64_t>* Tensor::integers() const {
  const auto* held = std::get_if<std::shared_ptr<const std::vector<std::int64_t>>>(&data);
  return held == nullptr ? nullptr : held->get();
}

std::string DataTypeName(int data_type) {
  if (!::onnx::TensorProto::DataType_IsValid(data_type)) return fmt::format("{}", data_type);
  return ::onnx::TensorProto::DataType_Name(static_cast<::onnx::TensorProto::DataType>(data_type));
}

Result<Graph> ReadGraph(std::string_view bytes, const Directory& directory) {
  if (bytes.starts_with("PK\x03\x04")) {  // a zip archive
    return InputError(
        "not an ONNX model but an archive, probably of TorchScript: 'gonogo convert policy.pt "
        "policy.onnx' makes an ONNX file of it");
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
    graph.nodes.push_back(GONOGO_TRY(ReadNode(proto, directory)));
  }
  for (const auto& entry : model.metadata_props()) {
    graph.metadata.emplace(entry.key(), entry.value());
  }
  return graph;
}

}  // namespace gonogo::nn::graph
