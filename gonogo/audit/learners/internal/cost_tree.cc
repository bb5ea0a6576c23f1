// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/cost_tree.h"

#include <algorithm>
#include <cstring>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

constexpr std::size_t kLane = 8;  // floats added at a time

/// The compiler does not find out by itself that rows never overlap, and would add one by one.
using Lane = float __attribute__((vector_size(kLane * sizeof(float))));

/// Into a lane: how one is returned depends on the instruction set, and x86-64-v2 warns of it.
inline void Load(const float* from, Lane& lane) { std::memcpy(&lane, from, sizeof(lane)); }

inline void Store(const Lane& lane, float* to) { std::memcpy(to, &lane, sizeof(lane)); }

/// Adds a row of sums to another; `width` is a multiple of a lane.
inline void AddRow(const float* from, std::size_t width, float* to) {
  for (std::size_t lane = 0; lane < width; lane += kLane) {
    Lane sum;
    Lane more;
    Load(to + lane, sum);
    Load(from + lane, more);
    sum += more;
    Store(sum, to + lane);
  }
}

std::size_t LanesOf(const TreeTargets& targets) { return (targets.deciding + kLane - 1) / kLane; }

struct Split {
  double score = 0.0;  ///< what it explains: sum of S^2 / weight over both sides
  std::uint32_t feature = 0;
  std::uint8_t bin = 0;
};

}  // namespace

/// Grows one tree: rows of the sample are kept in one list, every node owning a part of it. A row
/// of sums is `kLanes` lanes wide, or as wide as it has to be where that is 0: a width known to the
/// compiler is what makes the loops over rows fast.
template <std::size_t kLanes>
class TreeGrower {
 public:
  TreeGrower(const BinnedFeatures& features, const TreeTargets& targets,
             std::span<const std::uint32_t> weight, const TreeGrowth& growth, Rng& rng)
      : features_(features),
        targets_(targets),
        growth_(growth),
        rng_(rng),
        pool_(features.splittable()),
        wide_(LanesOf(targets) * kLane) {
    for (std::size_t query = 0; query < weight.size(); ++query) {
      if (weight[query] == 0) continue;
      const auto at = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({static_cast<std::uint32_t>(query), weight[query], at});
    }
    GONOGO_CHECK(!rows_.empty());
    Weigh();
    histogram_.resize(BinnedFeatures::kMostBins * width());
    bin_weight_.resize(BinnedFeatures::kMostBins);
    bins_.resize(rows_.size());
    total_.resize(width());
    left_.resize(width());
  }

  CostTree Grow() {
    CostTree tree;
    tree.outputs_ = targets_.outputs;
    tree.nodes_.emplace_back();
    std::vector<Part> open = {{0, 0, rows_.size(), 0}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      Split split;
      if (part.depth < growth_.depth && FindSplit(part, split)) {
        const std::size_t middle = Divide(part, split);
        const auto below = static_cast<std::uint32_t>(tree.nodes_.size());
        tree.nodes_[part.node] = {
            .feature = split.feature, .below = below, .bin = split.bin, .leaf = false};
        tree.nodes_.resize(tree.nodes_.size() + 2);
        open.push_back({below + 1, middle, part.end, part.depth + 1});
        open.push_back({below, part.begin, middle, part.depth + 1});
      } else {
        tree.nodes_[part.node].below = static_cast<std::uint32_t>(tree.leaves());
        AddLeaf(part, tree.values_);
      }
    }
    return tree;
  }

 private:
  struct Row {
    std::uint32_t query;
    std::uint32_t weight;
    std::uint32_t at;  ///< where its weighted outputs stand
  };
  /// Rows [begin, end) of one node.
  struct Part {
    std::uint32_t node;
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };

  [[nodiscard]] std::size_t width() const { return kLanes > 0 ? kLanes * kLane : wide_; }

  /// Weighted deciding outputs of every row, centred at their mean: single precision then suffices
  /// for the sums.
  void Weigh() {
    std::vector<double> mean(targets_.deciding, 0.0);
    double total = 0.0;
    for (const Row& row : rows_) {
      const std::span<const float> y = targets_.row(row.query);
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += row.weight * double{y[j]};
      total += row.weight;
    }
    for (double& m : mean) m /= total;
    weighted_.assign(rows_.size() * width(), 0.0F);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      float* out = weighted_.data() + i * width();
      const std::span<const float> y = targets_.row(rows_[i].query);
      for (std::size_t j = 0; j < mean.size(); ++j) {
        out[j] = static_cast<float>(rows_[i].weight * (y[j] - mean[j]));
      }
    }
  }

  [[nodiscard]] const float* WeightedRow(const Row& row) const {
    return weighted_.data() + row.at * width();
  }

  bool FindSplit(const Part& part, Split& best) {
    std::fill(total_.begin(), total_.end(), 0.0F);
    total_weight_ = 0.0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      AddRow(WeightedRow(rows_[i]), width(), total_.data());
      total_weight_ += rows_[i].weight;
    }
    if (total_weight_ < 2.0 * growth_.min_leaf) return false;
    const double needed = Explained() * (1.0 + 1e-6);  // more than rounding
    best.score = needed;
    const std::size_t tried = std::min(growth_.features_tried, pool_.size());
    for (std::size_t i = 0; i < tried; ++i) {
      std::swap(pool_[i], pool_[i + rng_.Below(pool_.size() - i)]);
      TryFeature(part, pool_[i], best);
    }
    return best.score > needed;
  }

  /// Sum over the deciding outputs of S^2 / weight, before any split.
  [[nodiscard]] double Explained() const {
    double squares = 0.0;
    for (const float sum : total_) squares += double{sum} * double{sum};
    return squares / total_weight_;
  }

  void TryFeature(const Part& part, std::uint32_t feature, Split& best) {
    const std::span<const std::uint8_t> bin_of = features_.bin_of(feature);
    std::uint8_t lowest = 255;
    std::uint8_t highest = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::uint8_t bin = bin_of[rows_[i].query];
      bins_[i] = bin;
      lowest = std::min(lowest, bin);
      highest = std::max(highest, bin);
    }
    if (lowest == highest) return;
    std::fill(histogram_.begin() + static_cast<std::ptrdiff_t>(lowest * width()),
              histogram_.begin() + static_cast<std::ptrdiff_t>((highest + 1) * width()), 0.0F);
    std::fill(bin_weight_.begin() + lowest, bin_weight_.begin() + highest + 1, 0.0);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      AddRow(WeightedRow(rows_[i]), width(), histogram_.data() + bins_[i] * width());
      bin_weight_[bins_[i]] += rows_[i].weight;
    }
    std::fill(left_.begin(), left_.end(), 0.0F);
    double weight = 0.0;
    for (std::size_t bin = lowest; bin < highest; ++bin) {
      if (bin_weight_[bin] == 0.0) continue;  // the same division as before
      AddRow(histogram_.data() + bin * width(), width(), left_.data());
      weight += bin_weight_[bin];
      const double rest = total_weight_ - weight;
      if (weight < growth_.min_leaf) continue;
      if (rest < growth_.min_leaf) break;
      const double score = Both(weight, rest);
      if (score <= best.score) continue;
      best = {score, feature, static_cast<std::uint8_t>(bin)};
    }
  }

  /// Explained on the left and on the right of the sums gathered so far.
  [[nodiscard]] double Both(double weight, double rest) const {
    Lane left_squares{};
    Lane right_squares{};
    for (std::size_t lane = 0; lane < width(); lane += kLane) {
      Lane l;
      Lane r;
      Load(left_.data() + lane, l);
      Load(total_.data() + lane, r);
      r -= l;
      left_squares += l * l;
      right_squares += r * r;
    }
    double left = 0.0;
    double right = 0.0;
    for (std::size_t i = 0; i < kLane; ++i) {
      left += double{left_squares[i]};
      right += double{right_squares[i]};
    }
    return left / weight + right / rest;
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

  void AddLeaf(const Part& part, std::vector<float>& values) const {
    std::vector<double> sum(targets_.outputs, 0.0);
    double weight = 0.0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::span<const float> y = targets_.row(rows_[i].query);
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += rows_[i].weight * double{y[j]};
      weight += rows_[i].weight;
    }
    for (const double s : sum) values.push_back(static_cast<float>(s / weight));
  }

  const BinnedFeatures& features_;
  const TreeTargets& targets_;
  TreeGrowth growth_;
  Rng& rng_;
  std::vector<std::uint32_t> pool_;  ///< features, those tried last in front
  std::size_t wide_;
  std::vector<Row> rows_;
  std::vector<std::uint8_t> bins_;  ///< of the feature that is tried, by row
  std::vector<float> weighted_;
  std::vector<float> histogram_;
  std::vector<double> bin_weight_;
  std::vector<float> total_;
  std::vector<float> left_;
  double total_weight_ = 0.0;
};

CostTree CostTree::Grow(const BinnedFeatures& features, const TreeTargets& targets,
                        std::span<const std::uint32_t> weight, const TreeGrowth& growth, Rng& rng) {
  switch (LanesOf(targets)) {
    case 1:
      return TreeGrower<1>(features, targets, weight, growth, rng).Grow();
    case 2:
      return TreeGrower<2>(features, targets, weight, growth, rng).Grow();
    default:
      return TreeGrower<0>(features, targets, weight, growth, rng).Grow();
  }
}

std::span<const float> CostTree::Predict(const BinnedFeatures& features, std::size_t query) const {
  std::uint32_t node = 0;
  while (!nodes_[node].leaf) {
    const bool right = features.bin_of(nodes_[node].feature)[query] > nodes_[node].bin;
    node = nodes_[node].below + (right ? 1 : 0);
  }
  return std::span(values_).subspan(nodes_[node].below * outputs_, outputs_);
}

nn::EffectTree CostTree::Describe(const BinnedFeatures& features) const {
  nn::EffectTree tree{.values = values_};
  for (const Node& node : nodes_) {
    if (node.leaf) {
      tree.nodes.push_back({.leaf = node.below});
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
