// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/internal/builder.h"
#include "gonogo/nn/onnx/internal/graph.h"
#include "gonogo/nn/onnx/internal/plan.h"

namespace gonogo::nn::graph {

/// A node whose inputs are known, about to be expressed in the builder's primitives.
struct Site {
  const Node& node;
  std::vector<const Tensor*> inputs;  ///< null where an optional input was left out
  Builder& builder;

  /// The tensor of an input that `Operator` declares as required.
  [[nodiscard]] const Tensor& input(std::size_t index) const { return *inputs[index]; }
  [[nodiscard]] const Tensor* optional_input(std::size_t index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }
  /// An attribute, or `fallback` when the node has none; its type was checked by `Operator`.
  template <typename T>
  [[nodiscard]] T attribute(std::string_view name, T fallback) const {
    const auto found = node.attributes.find(std::string(name));
    return found == node.attributes.end() ? std::move(fallback) : std::get<T>(found->second);
  }
  [[nodiscard]] bool has_attribute(std::string_view name) const {
    return node.attributes.contains(std::string(name));
  }
  /// Whole numbers that older files write as attribute `name` and newer ones as constant input
  /// `index`; nothing when the file gives neither.
  [[nodiscard]] Result<std::optional<std::vector<std::int64_t>>> Integers(std::string_view name,
                                                                          std::size_t index) const;
};

/// One output tensor per output of the node, or why not; messages need not name the node.
using Outputs = Result<std::vector<Tensor>>;
using Lowering = Outputs (*)(const Site&);

/// What a node of one operator may look like, and how it becomes steps of the plan.
struct Operator {
  std::string_view name;
  Lowering lower;
  std::size_t min_inputs;
  std::size_t max_inputs;
  std::size_t max_outputs;
  std::string_view attributes = "";  ///< "name:kind name:kind"; others are refused
};

/// Checks the node against its operator and lowers it. Messages name the node.
[[nodiscard]] Outputs Lower(const Site& site);

/// Wraps the output of a one-output operator.
[[nodiscard]] Outputs Single(Result<Tensor> tensor);

// Arithmetic: arithmetic.cc.
Outputs LowerConv(const Site& site);
Outputs LowerGemm(const Site& site);
Outputs LowerMatMul(const Site& site);
Outputs LowerElu(const Site& site);
Outputs LowerLeakyRelu(const Site& site);
Outputs LowerClip(const Site& site);
template <UnaryOp op>
Outputs LowerUnary(const Site& site) {
  return Single(site.builder.Unary(op, site.input(0)));
}
Outputs LowerNeg(const Site& site);
Outputs LowerAbs(const Site& site);
/// Truth values are numbers here: 0, or anything else.
Outputs LowerWhere(const Site& site);
/// Any number of operands, combined from left to right.
template <BinaryOp op>
Outputs LowerMany(const Site& site) {
  Result<Tensor> out = site.input(0);
  for (std::size_t i = 1; out.ok() && i < site.inputs.size(); ++i) {
    out = site.builder.Binary(op, out.value(), site.input(i));
  }
  return Single(std::move(out));
}
template <BinaryOp op>
Outputs LowerBinary(const Site& site) {
  return Single(site.builder.Binary(op, site.input(0), site.input(1)));
}
// Constants and what only renames or rearranges elements: layout.cc.
Outputs LowerConcat(const Site& site);
Outputs LowerSplit(const Site& site);
Outputs LowerSlice(const Site& site);
Outputs LowerGather(const Site& site);
Outputs LowerTranspose(const Site& site);
Outputs LowerConstant(const Site& site);
Outputs LowerCast(const Site& site);
Outputs LowerIdentity(const Site& site);
Outputs LowerShape(const Site& site);
Outputs LowerReshape(const Site& site);
Outputs LowerFlatten(const Site& site);
Outputs LowerExpand(const Site& site);
Outputs LowerSqueeze(const Site& site);
Outputs LowerUnsqueeze(const Site& site);
// Sums over axes and normalisations: reduction.cc.
enum class Reduction { kSum, kMean, kL2, kMax };
Outputs LowerReduce(const Site& site, Reduction reduction);
template <Reduction reduction>
Outputs LowerReduction(const Site& site) {
  return LowerReduce(site, reduction);
}
Outputs LowerSoftmax(const Site& site);
Outputs LowerLayerNormalization(const Site& site);
Outputs LowerBatchNormalization(const Site& site);
// Sums of decision trees: trees.cc.
Outputs LowerTrees(const Site& site);
// Recurrent cells: recurrent.cc.
Outputs LowerLstm(const Site& site);
Outputs LowerGru(const Site& site);

/// A plan and the shapes its graph was compiled for: open dimensions count as 1.
struct Compiled {
  ExecutionPlan plan;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
};

/// Checks every node, works out all shapes and folds constants. Messages name the node.
[[nodiscard]] Result<Compiled> Compile(const Graph& graph);

}  // namespace gonogo::nn::graph
