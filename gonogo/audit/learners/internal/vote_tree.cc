// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/vote_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gonogo::audit::internal {

/// Rows of the sample stand in one list, of which every node owns a part.
class VoteGrower {
 public:
  VoteGrower(const BinnedFeatures& features, std::span<const VoteTree::Row> sample,
             std::span<const float> difference, const TreeGrowth& growth, Rng& rng)
      : features_(features), growth_(growth), rng_(rng), pool_(features.splittable()) {
    rows_.reserve(sample.size());
    for (const VoteTree::Row& row : sample) {
      const float gain = row.times * difference[row.query];
      if (gain != 0.0F) rows_.push_back({Sums{gain, std::abs(gain), row.times}, row.query});
    }
  }

  VoteTree Grow() {
    VoteTree tree;
    tree.nodes_.emplace_back();
    std::vector<Part> open = {{0, 0, rows_.size(), 0}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      Sums total;
      SumUp(part, total);
      Split split;
      if (part.depth < growth_.depth && FindSplit(part, total, split)) {
        const std::size_t middle = Divide(part, split);
        const auto below = static_cast<std::uint32_t>(tree.nodes_.size());
        tree.nodes_[part.node] = {.below = below, .feature = split.feature, .bin = split.bin};
        tree.nodes_.resize(tree.nodes_.size() + 2);
        open.push_back({below + 1, middle, part.end, part.depth + 1});
        open.push_back({below, part.begin, middle, part.depth + 1});
      } else if (total[kWeight] > 0.0F) {
        const float vote = std::round(total[kGain] / total[kWeight] / VoteTree::kVote);
        tree.nodes_[part.node].vote = vote * VoteTree::kVote;
      }
    }
    return tree;
  }

 private:
  /// What the first action gains over the second, the sizes of these gains, and how many queries
  /// they are of; the compiler adds all of them at once.
  using Sums = float __attribute__((vector_size(4 * sizeof(float))));
  static constexpr int kGain = 0;
  static constexpr int kWeight = 1;
  static constexpr int kTimes = 2;

  struct Row {
    Sums sums;
    std::uint32_t query;
  };
  struct Part {
    std::uint32_t node;
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  struct Split {
    double score = 0.0;  ///< sum of gain^2 / weight over both sides: the higher, the purer
    std::uint32_t feature = 0;
    std::uint8_t bin = 0;
  };

  [[nodiscard]] static double Purity(const Sums& sums) {
    const float weight = sums[kWeight];
    return weight > 0.0F ? double{sums[kGain]} * sums[kGain] / weight : 0.0;
  }

  void SumUp(const Part& part, Sums& total) const {
    total = Sums{};
    for (std::size_t i = part.begin; i < part.end; ++i) total += rows_[i].sums;
  }

  bool FindSplit(const Part& part, const Sums& total, Split& best) {
    if (total[kTimes] < 2.0 * growth_.min_leaf) return false;
    if (std::abs(total[kGain]) >= total[kWeight]) return false;  // all for the same action
    const double needed = Purity(total) * (1.0 + 1e-6);          // more than rounding
    best.score = needed;
    const std::size_t tried = std::min(growth_.features_tried, pool_.size());
    for (std::size_t i = 0; i < tried; ++i) {
      std::swap(pool_[i], pool_[i + rng_.Below(pool_.size() - i)]);
      TryFeature(part, total, pool_[i], best);
    }
    return best.score > needed;
  }

  void TryFeature(const Part& part, const Sums& total, std::uint32_t feature, Split& best) {
    const std::uint8_t* bin_of = features_.bin_of(feature).data();
    const std::size_t bins = features_.bins(feature);
    std::fill_n(histogram_.begin(), bins, Sums{});
    for (std::size_t i = part.begin; i < part.end; ++i) {
      histogram_[bin_of[rows_[i].query]] += rows_[i].sums;
    }
    Sums left{};
    for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
      if (histogram_[bin][kTimes] == 0.0F) continue;  // the same division as before
      left += histogram_[bin];
      const Sums right = total - left;
      if (left[kTimes] < growth_.min_leaf) continue;
      if (right[kTimes] < growth_.min_leaf) break;
      const double score = Purity(left) + Purity(right);
      if (score <= best.score) continue;
      best = {score, feature, static_cast<std::uint8_t>(bin)};
    }
  }

  std::size_t Divide(const Part& part, const Split& split) {
    const std::span<const std::uint8_t> bin_of = features_.bin_of(split.feature);
    const auto begin = rows_.begin();
    const auto middle =
        std::stable_partition(begin + static_cast<std::ptrdiff_t>(part.begin),
                              begin + static_cast<std::ptrdiff_t>(part.end),
                              [&](const Row& row) { return bin_of[row.query] <= split.bin; });
    return static_cast<std::size_t>(middle - begin);
  }

  const BinnedFeatures& features_;
  TreeGrowth growth_;
  Rng& rng_;
  std::vector<std::uint32_t> pool_;  ///< features, those tried last in front
  std::vector<Row> rows_;
  std::array<Sums, BinnedFeatures::kMostBins> histogram_;
};

VoteTree VoteTree::Grow(const BinnedFeatures& features, std::span<const Row> sample,
                        std::span<const float> difference, const TreeGrowth& growth, Rng& rng) {
  return VoteGrower(features, sample, difference, growth, rng).Grow();
}

float VoteTree::Vote(const BinnedFeatures& features, std::size_t query) const {
  std::uint32_t node = 0;
  while (nodes_[node].below != 0) {
    const bool right = features.bin_of(nodes_[node].feature)[query] > nodes_[node].bin;
    node = nodes_[node].below + (right ? 1 : 0);
  }
  return nodes_[node].vote;
}

nn::EffectTree VoteTree::Describe(const BinnedFeatures& features) const {
  nn::EffectTree tree;
  for (const Node& node : nodes_) {
    if (node.below == 0) {
      tree.nodes.push_back({.leaf = static_cast<std::uint32_t>(tree.values.size())});
      tree.values.push_back(node.vote);
      continue;
    }
    tree.nodes.push_back({.feature = static_cast<std::int32_t>(node.feature),
                          .threshold = features.float_cut(node.feature, node.bin),
                          .below = node.below,
                          .other = node.below + 1});
  }
  return tree;
}

}  // namespace gonogo::audit::internal
