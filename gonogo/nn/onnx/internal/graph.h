// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/internal/tensor.h"

namespace gonogo::nn::graph {

using Attribute = std::variant<float, std::int64_t, std::string, std::vector<float>,
                               std::vector<std::int64_t>, std::vector<std::string>, Tensor>;

struct Node {
  std::string name;  ///< as in the file, or its first output when it has none
  std::string op;
  std::vector<std::string> inputs;  ///< an empty name = an optional input left out
  std::vector<std::string> outputs;
  std::map<std::string, Attribute> attributes;
};

/// A declared input or output; -1 stands for a dimension that the file leaves open.
struct Port {
  std::string name;
  Shape shape;
};

/// What an ONNX file says, without protobuf.
struct Graph {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::map<std::string, Tensor> initializers;
  std::vector<Node> nodes;
  std::map<std::string, std::string> metadata;
};

/// Reads a serialised ModelProto. External data are looked up in `directory`; without one they are
/// refused. Messages do not name the file: the caller does.
[[nodiscard]] Result<Graph> ReadGraph(std::string_view bytes,
                                      const std::optional<std::filesystem::path>& directory);

}  // namespace gonogo::nn::graph
