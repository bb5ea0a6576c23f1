// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "gonogo/nn/kernels/packed_linear.h"
#include "gonogo/nn/kernels/packed_trees.h"
#include "gonogo/nn/onnx/internal/elementwise.h"

namespace gonogo::nn::graph {

/// Where a step reads or writes. A computed tensor has `size` floats per row of the batch, starting
/// at `offset` x rows of the arena, so that its rows are contiguous; a constant is the same for all
/// rows and starts at `offset` of the constants.
struct Ref {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool constant = false;
};

/// `count` floats of `source` from its element `from` to element `to` of the output.
struct Segment {
  Ref source;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t count = 0;
};

struct MoveStep {
  std::vector<Segment> segments;
  Ref out;
};

/// `vectors` inputs of the layer per row of the batch.
struct LinearStep {
  internal::PackedLinear layer;
  int vectors = 1;
  Ref x;
  Ref out;
};

/// out [m, n] = a [m, k] b [k, n], where b is computed at run time.
struct ProductStep {
  int m = 0;
  int k = 0;
  int n = 0;
  Ref a;
  Ref b;
  Ref out;
};

struct UnaryStep {
  UnaryOp op = UnaryOp::kRelu;
  float alpha = 0.0F;
  Ref x;
  Ref out;
};

struct BinaryStep {
  BinaryOp op = BinaryOp::kAdd;
  Ref a;
  Ref b;
  Ref out;
};

/// `vectors` inputs of the trees per row of the batch.
struct TreeStep {
  internal::PackedTrees trees;
  int vectors = 1;
  Ref x;
  Ref out;
};

using Step = std::variant<MoveStep, LinearStep, ProductStep, UnaryStep, BinaryStep, TreeStep>;

/// A graph with all shapes known, ready to run: steps over an arena of floats.
struct Plan {
  std::vector<Ref> inputs;
  std::vector<Ref> outputs;
  std::vector<Step> steps;
  std::vector<float> constants;
  std::size_t row_floats = 0;  ///< arena floats needed per row of the batch
};

/// Runs all steps for `rows` independent rows. `arena` has rows x row_floats floats, inputs filled.
/// A row's numbers do not depend on the other rows or on how many there are.
void Execute(const Plan& plan, float* arena, std::size_t rows);

}  // namespace gonogo::nn::graph
