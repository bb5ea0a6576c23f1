// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/graph_writer.h"

#include <utility>

#include "gonogo/io/build_info.h"

namespace gonogo::nn {
namespace {

// The oldest pair with every form used here, for readers older than ours.
constexpr std::int64_t kIrVersion = 7;
constexpr std::int64_t kOpset = 13;
constexpr std::int64_t kTreeOpset = 1;
constexpr const char* kTreeDomain = "ai.onnx.ml";

/// `rows` names a first dimension that is left open; a null pointer: there is none.
void DeclarePort(::onnx::ValueInfoProto& port, const std::string& name,
                 const std::vector<std::int64_t>& row_shape, const char* rows = "rows") {
  port.set_name(name);
  auto& type = *port.mutable_type()->mutable_tensor_type();
  type.set_elem_type(::onnx::TensorProto::FLOAT);
  if (rows != nullptr) type.mutable_shape()->add_dim()->set_dim_param(rows);
  for (const std::int64_t dim : row_shape) type.mutable_shape()->add_dim()->set_dim_value(dim);
}

::onnx::AttributeProto& AddAttribute(::onnx::NodeProto& node, const std::string& name,
                                     ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

}  // namespace

GraphWriter::GraphWriter() {
  model_.set_ir_version(kIrVersion);
  const io::BuildInfo build = io::CurrentBuild();
  model_.set_producer_name("gonogo");
  model_.set_producer_version(build.version + "+" + build.commit);
  auto& opset = *model_.add_opset_import();
  opset.set_domain("");
  opset.set_version(kOpset);
  model_.mutable_graph()->set_name("network");
}

void GraphWriter::Input(const std::string& name, const std::vector<std::int64_t>& row_shape) {
  DeclarePort(*model_.mutable_graph()->add_input(), name, row_shape);
}

void GraphWriter::Output(const std::string& name, const std::vector<std::int64_t>& row_shape) {
  DeclarePort(*model_.mutable_graph()->add_output(), name, row_shape);
}

void GraphWriter::FixedInput(const std::string& name, const std::vector<std::int64_t>& shape) {
  DeclarePort(*model_.mutable_graph()->add_input(), name, shape, nullptr);
}

void GraphWriter::FixedOutput(const std::string& name, const std::vector<std::int64_t>& shape) {
  DeclarePort(*model_.mutable_graph()->add_output(), name, shape, nullptr);
}

void GraphWriter::Declare(const std::string& name, const std::vector<std::int64_t>& row_shape) {
  DeclarePort(*model_.mutable_graph()->add_value_info(), name, row_shape, name.c_str());
}

std::string GraphWriter::Floats(std::string name, std::span<const float> values,
                                const std::vector<std::int64_t>& shape) {
  ::onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto::FLOAT);
  tensor.mutable_dims()->Add(shape.begin(), shape.end());
  tensor.set_raw_data(values.data(), values.size_bytes());
  return name;
}

std::string GraphWriter::Integers(std::string name, const std::vector<std::int64_t>& values) {
  ::onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  tensor.mutable_int64_data()->Add(values.begin(), values.end());
  return name;
}

std::string GraphWriter::Row(std::string name, const std::vector<double>& values) {
  const std::vector<float> rounded(values.begin(), values.end());
  return Floats(std::move(name), rounded, {static_cast<std::int64_t>(rounded.size())});
}

::onnx::NodeProto& GraphWriter::Node(std::string_view op, const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs) {
  ::onnx::NodeProto& node = *model_.mutable_graph()->add_node();
  node.set_op_type(std::string(op));
  node.set_name(outputs.front());
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  if (op != "TreeEnsembleRegressor") return node;
  node.set_domain(kTreeDomain);
  if (model_.opset_import_size() == 1) {
    auto& opset = *model_.add_opset_import();
    opset.set_domain(kTreeDomain);
    opset.set_version(kTreeOpset);
  }
  return node;
}

std::string GraphWriter::Apply(std::string_view op, const std::vector<std::string>& inputs,
                               std::string output) {
  Node(op, inputs, {output});
  return output;
}

std::string GraphWriter::Reshape(const std::string& x, const std::vector<std::int64_t>& shape,
                                 const std::string& output) {
  return Apply("Reshape", {x, Integers(output + ".shape", shape)}, output);
}

std::string GraphWriter::Finish(const std::map<std::string, std::string>& metadata) {
  for (const auto& [key, value] : metadata) {
    auto& entry = *model_.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  return model_.SerializeAsString();
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  AddAttribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name, float value) {
  AddAttribute(node, name, ::onnx::AttributeProto::FLOAT).set_f(value);
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name, const std::string& value) {
  AddAttribute(node, name, ::onnx::AttributeProto::STRING).set_s(value);
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name,
                  const std::vector<std::int64_t>& values) {
  auto& attribute = AddAttribute(node, name, ::onnx::AttributeProto::INTS);
  attribute.mutable_ints()->Add(values.begin(), values.end());
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name, std::span<const float> values) {
  auto& attribute = AddAttribute(node, name, ::onnx::AttributeProto::FLOATS);
  attribute.mutable_floats()->Add(values.begin(), values.end());
}

void SetAttribute(::onnx::NodeProto& node, const std::string& name,
                  const std::vector<std::string>& values) {
  auto& attribute = AddAttribute(node, name, ::onnx::AttributeProto::STRINGS);
  for (const std::string& value : values) attribute.add_strings(value);
}

}  // namespace gonogo::nn
