// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/learners/internal/binned_features.h"
#include "gonogo/audit/learners/internal/cost_tree.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit::internal {

/// A tree that votes for one of two actions. What the first gains over the second at a query is
/// `difference`; its sign is the class, its size the weight of the query. A split lowers the
/// weighted Gini impurity the most among the features tried; a leaf votes with the share of the
/// weight that is for the first less the share that is for the second, from -1 to 1.
class VoteTree {
 public:
  /// Votes are whole multiples of this, so that sums of them are exact in single precision, in any
  /// order: an exported adapter then chooses as the learner does, ties included.
  static constexpr float kVote = 1.0F / 256.0F;

  /// A query of the tree's sample, `times` in it.
  struct Row {
    std::uint32_t query;
    float times;
  };

  /// Queries of no difference are not asked; where none is left, the tree abstains (votes 0).
  [[nodiscard]] static VoteTree Grow(const BinnedFeatures& features, std::span<const Row> sample,
                                     std::span<const float> difference, const TreeGrowth& growth,
                                     Rng& rng);

  [[nodiscard]] float Vote(const BinnedFeatures& features, std::size_t query) const;
  /// The tree over the values of the features themselves, one value a leaf, its targets left empty.
  [[nodiscard]] nn::EffectTree Describe(const BinnedFeatures& features) const;

 private:
  friend class VoteGrower;
  struct Node {
    std::uint32_t below = 0;  ///< left child, the right one follows; 0 in a leaf
    std::uint32_t feature = 0;
    std::uint8_t bin = 0;
    float vote = 0.0F;
  };

  std::vector<Node> nodes_;
};

}  // namespace gonogo::audit::internal
