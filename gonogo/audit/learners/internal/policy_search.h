// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/learners/internal/binned_features.h"
#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit::internal {

/// What every action would have gained over the reference at every query: row-major, queries x
/// actions, 0 for the reference itself.
struct PolicyRewards {
  std::size_t actions = 0;
  std::vector<float> values = {};

  [[nodiscard]] std::span<const float> row(std::size_t query) const {
    return std::span(values).subspan(query * actions, actions);
  }
};

/// A tree whose leaves are actions. A query goes left when its bin is at most `bin`.
struct PolicyTree {
  struct Node {
    bool leaf = true;
    ActionIndex action = kDirect;  ///< of a leaf
    std::uint32_t feature = 0;     ///< of a question
    std::uint8_t bin = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };
  std::vector<Node> nodes = {Node{}};  ///< the root first

  [[nodiscard]] std::uint32_t LeafOf(const BinnedFeatures& features, std::size_t query) const;
};

struct PolicySearchOptions {
  std::size_t depth = 2;
  double min_leaf = 1.0;  ///< smallest weight of a leaf
};

/// The tree of at most `depth` questions with the largest summed reward: all trees of up to two
/// questions are compared, and all of three where that costs no more than some 10^9 additions;
/// beyond that the first question is the one the best tree of two questions asks. Of several trees
/// as good the one that asks first by feature and cut, and no question that gains nothing.
[[nodiscard]] PolicyTree SearchPolicy(const BinnedFeatures& features, const PolicyRewards& rewards,
                                      std::span<const std::uint32_t> weight,
                                      const PolicySearchOptions& options);

}  // namespace gonogo::audit::internal
