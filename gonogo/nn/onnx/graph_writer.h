// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <onnx/onnx_pb.h>

#include "gonogo/nn/mlp/column_encoding.h"
#include "gonogo/nn/onnx/export.h"

namespace gonogo::nn {

/// As ONNX counts.
[[nodiscard]] inline std::int64_t Signed(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

/// A model that is being written: nodes, constants and ports; tensors are known by their names.
/// Only exporters use it, so that no other header needs protobuf.
class GraphWriter {
 public:
  GraphWriter();

  /// A port with rows of this shape; how many rows is left open.
  void Input(const std::string& name, const std::vector<std::int64_t>& row_shape);
  void Output(const std::string& name, const std::vector<std::int64_t>& row_shape);

  /// A port of exactly this shape.
  void FixedInput(const std::string& name, const std::vector<std::int64_t>& shape);
  void FixedOutput(const std::string& name, const std::vector<std::int64_t>& shape);

  /// What a tensor inside is like, for checkers that cannot find out: rows of this shape.
  void Declare(const std::string& name, const std::vector<std::int64_t>& row_shape);

  std::string Floats(std::string name, std::span<const float> values,
                     const std::vector<std::int64_t>& shape);
  std::string Integers(std::string name, const std::vector<std::int64_t>& values);
  /// A row of constants, rounded to float.
  std::string Row(std::string name, const std::vector<double>& values);

  ::onnx::NodeProto& Node(std::string_view op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);
  /// A node with one output, which is returned.
  std::string Apply(std::string_view op, const std::vector<std::string>& inputs,
                    std::string output);
  std::string Reshape(const std::string& x, const std::vector<std::int64_t>& shape,
                      const std::string& output);

  /// The bytes of the file.
  [[nodiscard]] std::string Finish(const std::map<std::string, std::string>& metadata);

 private:
  ::onnx::ModelProto model_;
};

void SetAttribute(::onnx::NodeProto& node, const std::string& name, std::int64_t value);
void SetAttribute(::onnx::NodeProto& node, const std::string& name, float value);
void SetAttribute(::onnx::NodeProto& node, const std::string& name, const std::string& value);
void SetAttribute(::onnx::NodeProto& node, const std::string& name,
                  const std::vector<std::int64_t>& values);
void SetAttribute(::onnx::NodeProto& node, const std::string& name, std::span<const float> values);
void SetAttribute(::onnx::NodeProto& node, const std::string& name,
                  const std::vector<std::string>& values);

/// x [rows, inputs] through the network: the tensor [rows, outputs], or [rows, members, outputs]
/// when there are several members.
[[nodiscard]] std::string WriteNetwork(const OnnxNetwork& network, std::string x,
                                       GraphWriter& graph);

/// x [rows, columns] as people record it, encoded: the tensor [rows, sum of their widths].
[[nodiscard]] std::string WriteColumnEncodings(std::span<const ColumnEncoding* const> columns,
                                               const std::string& x, GraphWriter& graph);

}  // namespace gonogo::nn
