// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/internal/graph.h"
#include "gonogo/nn/onnx/internal/plan.h"

namespace gonogo::nn::graph {

/// A plan and the shapes its graph was compiled for: open dimensions count as 1.
struct Compiled {
  Plan plan;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
};

/// Checks every node, works out all shapes and folds constants. Messages name the node.
[[nodiscard]] Result<Compiled> Compile(const Graph& graph);

}  // namespace gonogo::nn::graph
