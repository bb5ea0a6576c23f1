// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/torchscript/script_graph.h"

namespace gonogo::nn::torchscript {

/// An operator that is called: "torch.NAME" or "ops.prim.NAME" with what it is given.
struct Call {
  ScriptGraph& graph;
  std::string name;  ///< without its module
  std::vector<Value> given;
  std::map<std::string, Value> named;

  /// The argument at a place or, beyond what is given by place, of that name; nullptr if it is left
  /// out.
  [[nodiscard]] const Value* Argument(std::size_t place, const std::string& key) const;
  [[nodiscard]] bool Has(std::size_t place, const std::string& key) const;  ///< and is not None

  [[nodiscard]] Result<ScriptTensor*> TensorAt(std::size_t place, const std::string& key) const;
  /// A number that is given as such becomes a constant.
  [[nodiscard]] Result<ScriptTensor*> NumberOrTensor(std::size_t place,
                                                     const std::string& key) const;
  [[nodiscard]] Result<std::vector<ScriptTensor*>> TensorsAt(std::size_t place,
                                                             const std::string& key) const;
  [[nodiscard]] Result<std::int64_t> WholeAt(std::size_t place, const std::string& key,
                                             std::optional<std::int64_t> otherwise = {}) const;
  [[nodiscard]] Result<double> NumberAt(std::size_t place, const std::string& key,
                                        std::optional<double> otherwise = {}) const;
  [[nodiscard]] Result<bool> TruthAt(std::size_t place, const std::string& key,
                                     std::optional<bool> otherwise = {}) const;
  /// A list of whole numbers, or one alone.
  [[nodiscard]] Result<Shape> WholesAt(std::size_t place, const std::string& key) const;
  /// A place among `rank` axes, counted from the end if it is negative.
  [[nodiscard]] Result<std::int64_t> AxisAt(std::size_t place, const std::string& key,
                                            std::int64_t rank,
                                            std::optional<std::int64_t> otherwise = {}) const;
};

using Operator = Result<Value> (*)(const Call&);
using OperatorTable = std::map<std::string_view, Operator>;

/// On plain values: arithmetic and comparisons of numbers, lists, sizes of tensors.
[[nodiscard]] const OperatorTable& PlainOperators();
/// Element by element: activations and arithmetic.
[[nodiscard]] const OperatorTable& ElementwiseOperators();
/// What changes shapes: slices, joins, transposes.
[[nodiscard]] const OperatorTable& LayoutOperators();
/// Layers, norms and sums.
[[nodiscard]] const OperatorTable& LayerOperators();

/// Does what the operator does, or refuses it by its name. A name that ends with "_" writes its
/// result into its first argument.
[[nodiscard]] Result<Value> CallOperator(const Call& call);

/// A shape to which both can be spread.
[[nodiscard]] Result<Shape> Broadcast(const Shape& a, const Shape& b);

/// A node of two tensors or numbers, element by element.
[[nodiscard]] Result<ScriptTensor*> Combine(ScriptGraph& graph, std::string_view op,
                                            ScriptTensor* a, ScriptTensor* b);

}  // namespace gonogo::nn::torchscript
