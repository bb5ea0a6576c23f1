// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "gonogo/nn/kernels/gemm.h"

namespace gonogo::nn::graph {

/// Sums of decision trees: every tree sends a row to one of its leaves, and what stands there is
/// added to the row's outputs, tree after tree, in single precision.
class PackedTrees {
 public:
  /// A node that divides: x[feature] < threshold goes to node `below`, everything else, NaN
  /// included, to `other`. In a leaf `feature` is -1 and its weights are [below, other).
  struct Node {
    float threshold = 0.0F;
    std::int32_t feature = -1;
    std::uint32_t below = 0;
    std::uint32_t other = 0;
  };
  struct Weight {
    std::uint32_t output = 0;
    float value = 0.0F;
  };

  /// Children come after their parents, so that every walk ends. `base` has one entry per output.
  PackedTrees(int in, std::vector<float> base, std::vector<std::uint32_t> roots,
              std::vector<Node> nodes, std::vector<Weight> weights);

  [[nodiscard]] int in() const { return in_; }
  [[nodiscard]] int out() const { return static_cast<int>(base_.size()); }

  /// `x` is [rows, in] and `y` [rows, out], both row-major.
  void Apply(const float* x, int rows, float* y) const;

 private:
  int in_;
  std::vector<float> base_;
  std::vector<std::uint32_t> roots_;
  std::vector<Node> nodes_;
  std::vector<Weight> weights_;
};

enum class UnaryOp {
  kElu,
  kRelu,
  kLeakyRelu,
  kTanh,
  kSigmoid,
  kSoftplus,
  kSqrt,
  kExp,
  kLog,
  kIsNaN  ///< 1 where x is no number, else 0
};
/// `kIf` is b where a is not 0, else 0; `kUnless` the reverse. Both take a NaN that they do not
/// pick for nothing.
enum class BinaryOp { kAdd, kSub, kMul, kDiv, kMin, kMax, kPow, kIf, kUnless };

/// y[i] = op(x[i]); `alpha` is the slope parameter of Elu and LeakyRelu. NaN stays NaN, unless it
/// is asked for. Each element's bytes depend on its value only, not on its place. `y` may be `x`.
void Apply(UnaryOp op, float alpha, const float* x, std::size_t count, float* y);

/// y[i] = a[i] op b[i]. NaN in `a` stays NaN, unless `a` is a condition. `y` may be `a` or `b`.
void Apply(BinaryOp op, const float* a, const float* b, std::size_t count, float* y);

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
  PackedTrees trees;
  int vectors = 1;
  Ref x;
  Ref out;
};

using Step = std::variant<MoveStep, LinearStep, ProductStep, UnaryStep, BinaryStep, TreeStep>;

/// A graph with all shapes known, ready to run: steps over an arena of floats.
struct ExecutionPlan {
  std::vector<Ref> inputs;
  std::vector<Ref> outputs;
  std::vector<Step> steps;
  std::vector<float> constants;
  std::size_t row_floats = 0;  ///< arena floats needed per row of the batch
};

/// Runs all steps for `rows` independent rows. `arena` has rows x row_floats floats, inputs filled.
/// A row's numbers do not depend on the other rows or on how many there are.
void Execute(const ExecutionPlan& plan, float* arena, std::size_t rows);

}  // namespace gonogo::nn::graph
