// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/packed_trees.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn::internal {

PackedTrees::PackedTrees(int in, std::vector<float> base, std::vector<std::uint32_t> roots,
                         std::vector<Node> nodes, std::vector<Weight> weights)
    : in_(in),
      base_(std::move(base)),
      roots_(std::move(roots)),
      nodes_(std::move(nodes)),
      weights_(std::move(weights)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.feature < 0) {
      GONOGO_CHECK(node.below <= node.other && node.other <= weights_.size());
    } else {
      GONOGO_CHECK(node.feature < in_ && node.below > i && node.other > i);
      GONOGO_CHECK(node.below < nodes_.size() && node.other < nodes_.size());
    }
  }
  for (const std::uint32_t root : roots_) GONOGO_CHECK(root < nodes_.size());
  for (const Weight& weight : weights_) GONOGO_CHECK(weight.output < base_.size());
}

void PackedTrees::Apply(const float* x, int rows, float* y) const {
  for (int row = 0; row < rows; ++row, x += in_, y += base_.size()) {
    std::copy(base_.begin(), base_.end(), y);
    for (const std::uint32_t root : roots_) {
      const Node* node = &nodes_[root];
      while (node->feature >= 0) {
        node = &nodes_[x[node->feature] < node->threshold ? node->below : node->other];
      }
      for (std::uint32_t w = node->below; w < node->other; ++w) {
        y[weights_[w].output] += weights_[w].value;
      }
    }
  }
}

}  // namespace gonogo::nn::internal
