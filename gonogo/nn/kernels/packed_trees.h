// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gonogo::nn::internal {

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

}  // namespace gonogo::nn::internal
