// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/learners/internal/binned_features.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit::internal {

/// What the trees of a forest learn: one row per query, `outputs` numbers each. The first
/// `deciding` of them choose the splits; a leaf holds the means of all.
struct TreeTargets {
  std::size_t outputs = 0;
  std::size_t deciding = 0;
  std::vector<float> values = {};

  [[nodiscard]] std::span<const float> row(std::size_t query) const {
    return std::span(values).subspan(query * outputs, outputs);
  }
};

struct TreeGrowth {
  std::size_t features_tried = 1;  ///< drawn anew at every split, at least one
  double min_leaf = 5.0;           ///< smallest weight of a leaf
  std::size_t depth = 64;          ///< most splits from root to leaf
};

/// A regression tree with many outputs: every split lowers the summed squared error of the deciding
/// outputs the most among the features tried. A query goes left when its bin is at most `bin`.
class CostTree {
 public:
  /// `weight` tells how often each query is in the tree's sample; some must be.
  [[nodiscard]] static CostTree Grow(const BinnedFeatures& features, const TreeTargets& targets,
                                     std::span<const std::uint32_t> weight,
                                     const TreeGrowth& growth, Rng& rng);

  /// Means over the leaf in which the query falls, one per output.
  [[nodiscard]] std::span<const float> Predict(const BinnedFeatures& features,
                                               std::size_t query) const;
  /// The tree over the values of the features themselves, its targets left empty: every row goes
  /// where its bin would send it.
  [[nodiscard]] nn::EffectTree Describe(const BinnedFeatures& features) const;
  [[nodiscard]] std::size_t leaves() const { return values_.size() / outputs_; }

 private:
  template <std::size_t kLanes>
  friend class TreeGrower;
  struct Node {
    std::uint32_t feature = 0;
    std::uint32_t below = 0;  ///< left child, the right one follows; in a leaf: which leaf
    std::uint8_t bin = 0;
    bool leaf = true;
  };

  std::size_t outputs_ = 0;
  std::vector<Node> nodes_;
  std::vector<float> values_;  ///< leaves x outputs
};

}  // namespace gonogo::audit::internal
