// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::nn::graph {

using Shape = std::vector<std::int64_t>;

/// Largest tensor, in elements, that a graph may hold; far above any policy, far below a machine.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 24;

/// `[1, 235]`.
[[nodiscard]] std::string ToString(const Shape& shape);

/// Product of the dimensions; an error when one is negative or the product exceeds `kMaxElements`.
[[nodiscard]] Result<std::size_t> ElementCount(const Shape& shape);

/// Product of the dimensions [first, last) of a shape that was checked before.
[[nodiscard]] std::size_t Extent(const Shape& shape, std::size_t first, std::size_t last);

/// An axis counted from the end when negative; an error unless it lies in [-rank, rank).
[[nodiscard]] Result<std::size_t> ResolveAxis(std::int64_t axis, std::size_t rank);

/// First float of a tensor that is computed at run time, within one row of the arena.
struct ArenaOffset {
  std::size_t value = 0;
};

/// A tensor while a graph is being compiled: a place to be filled at run time, or a constant.
/// Copies share the constant's data.
struct Tensor {
  Shape shape;
  std::variant<ArenaOffset, std::shared_ptr<const std::vector<float>>,
               std::shared_ptr<const std::vector<std::int64_t>>>
      data;

  [[nodiscard]] static Tensor Constant(Shape shape, std::vector<float> values);
  [[nodiscard]] static Tensor Constant(Shape shape, std::vector<std::int64_t> values);

  /// The values of a float constant, else null.
  [[nodiscard]] const std::vector<float>* floats() const;
  /// The values of an integer constant, else null.
  [[nodiscard]] const std::vector<std::int64_t>* integers() const;
  [[nodiscard]] bool is_constant() const { return data.index() != 0; }
  [[nodiscard]] std::size_t size() const { return Extent(shape, 0, shape.size()); }
  [[nodiscard]] std::size_t rank() const { return shape.size(); }
};

/// `FLOAT`, `DOUBLE`, ...: a data type of the standard.
[[nodiscard]] std::string DataTypeName(int data_type);

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
