// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/policy_search.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

constexpr double kAffordable = 1e9;     // additions for all trees of three questions
constexpr double kQuestionGain = 1e-6;  // relative: what a question has to gain more than

struct Row {
  std::uint32_t query;
  float weight;
};

/// A question and what the best tree that begins with it is worth.
struct Question {
  std::uint32_t feature = 0;
  std::uint8_t bin = 0;
};
struct Best {
  double value = 0.0;
  std::optional<Question> question = {};  ///< none: one action everywhere
  ActionIndex action = kDirect;
};

/// Summed rewards and weights by feature and bin.
class Histogram {
 public:
  Histogram(const BinnedFeatures& features, std::size_t actions)
      : features_(features), actions_(actions) {
    std::size_t bins = 0;
    for (const std::uint32_t feature : features.splittable()) {
      begin_.push_back(bins);
      bins += features.bins(feature);
    }
    sum_.assign(bins * actions, 0.0F);
    weight_.assign(bins, 0.0F);
  }

  void Add(const Row& row, const float* reward) {
    for (std::size_t i = 0; i < begin_.size(); ++i) {
      const std::size_t bin = begin_[i] + features_.bin_of(features_.splittable()[i])[row.query];
      float* sum = sum_.data() + bin * actions_;
      for (std::size_t a = 0; a < actions_; ++a) sum[a] += row.weight * reward[a];
      weight_[bin] += row.weight;
    }
  }
  void Clear() {
    std::fill(sum_.begin(), sum_.end(), 0.0F);
    std::fill(weight_.begin(), weight_.end(), 0.0F);
  }

  [[nodiscard]] std::size_t begin(std::size_t i) const { return begin_[i]; }
  [[nodiscard]] const float* sum(std::size_t bin) const { return sum_.data() + bin * actions_; }
  [[nodiscard]] float weight(std::size_t bin) const { return weight_[bin]; }

 private:
  const BinnedFeatures& features_;
  std::size_t actions_;
  std::vector<std::size_t> begin_;
  std::vector<float> sum_;
  std::vector<float> weight_;
};

class Search {
 public:
  Search(const BinnedFeatures& features, const PolicyRewards& rewards,
         const PolicySearchOptions& options)
      : features_(features),
        rewards_(rewards),
        options_(options),
        all_(features, rewards.actions),
        part_(features, rewards.actions),
        left_(rewards.actions),
        total_(rewards.actions) {}

  /// Puts the best tree for the rows below `node`.
  void Grow(const std::vector<Row>& rows, std::size_t depth, std::uint32_t node, PolicyTree& tree) {
    const Best best = BestTree(rows, depth);
    if (!best.question.has_value()) {
      tree.nodes[node].action = best.action;
      return;
    }
    std::vector<Row> left;
    std::vector<Row> right;
    Divide(rows, *best.question, left, right);
    const auto below = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.resize(tree.nodes.size() + 2);
    tree.nodes[node] = {.leaf = false,
                        .feature = best.question->feature,
                        .bin = best.question->bin,
                        .left = below,
                        .right = below + 1};
    Grow(left, depth - 1, below, tree);
    Grow(right, depth - 1, below + 1, tree);
  }

 private:
  [[nodiscard]] Best BestTree(const std::vector<Row>& rows, std::size_t depth) {
    if (depth >= 3 && CostOfAll(rows.size()) <= kAffordable) return BestOfThree(rows);
    return depth >= 2 ? BestOfTwo(rows) : BestOfOne(rows, depth);
  }

  [[nodiscard]] double CostOfAll(std::size_t rows) const {
    double bins = 0.0;
    for (const std::uint32_t feature : features_.splittable()) {
      bins += static_cast<double>(features_.bins(feature));
    }
    const auto columns = static_cast<double>(features_.splittable().size());
    const double two = columns * (columns * static_cast<double>(rows) + bins * bins / columns);
    return bins * two * static_cast<double>(rewards_.actions);
  }

  void Divide(const std::vector<Row>& rows, const Question& question, std::vector<Row>& left,
              std::vector<Row>& right) const {
    const std::span<const std::uint8_t> bin_of = features_.bin_of(question.feature);
    for (const Row& row : rows) {
      (bin_of[row.query] <= question.bin ? left : right).push_back(row);
    }
  }

  /// All rows, one action.
  [[nodiscard]] Best BestAction(const std::vector<Row>& rows) const {
    std::vector<double> sum(rewards_.actions, 0.0);
    for (const Row& row : rows) {
      const std::span<const float> reward = rewards_.row(row.query);
      for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += double{row.weight} * double{reward[a]};
    }
    const auto largest = std::max_element(sum.begin(), sum.end());
    return {.value = *largest, .action = static_cast<ActionIndex>(largest - sum.begin())};
  }

  [[nodiscard]] static bool Better(double value, double than) {
    return value > than + kQuestionGain * std::max(1.0, std::abs(than));
  }

  [[nodiscard]] static double Largest(const std::vector<float>& sums) {
    return double{*std::max_element(sums.begin(), sums.end())};
  }

  [[nodiscard]] Best BestOfOne(const std::vector<Row>& rows, std::size_t depth) {
    Best best = BestAction(rows);
    if (depth == 0) return best;
    all_.Clear();
    for (const Row& row : rows) all_.Add(row, rewards_.row(row.query).data());
    Question question;
    const double value =
        OneQuestion([&](std::size_t bin, std::size_t a) { return all_.sum(bin)[a]; },
                    [&](std::size_t bin) { return all_.weight(bin); }, question);
    if (Better(value, best.value)) {
      best.value = value;
      best.question = question;
    }
    return best;
  }

  /// What the best tree of at most one question is worth, from sums by bin.
  template <typename Sum, typename Weight>
  [[nodiscard]] double OneQuestion(const Sum& sum, const Weight& weight, Question& question) {
    const std::size_t actions = rewards_.actions;
    double best = 0.0;
    bool known = false;
    for (std::size_t i = 0; i < features_.splittable().size(); ++i) {
      const std::size_t bins = features_.bins(features_.splittable()[i]);
      const std::size_t begin = all_.begin(i);
      std::fill(total_.begin(), total_.end(), 0.0F);
      std::fill(left_.begin(), left_.end(), 0.0F);
      double all_weight = 0.0;
      for (std::size_t bin = begin; bin < begin + bins; ++bin) {
        for (std::size_t a = 0; a < actions; ++a) total_[a] += sum(bin, a);
        all_weight += double{weight(bin)};
      }
      if (!known) {
        best = Largest(total_);
        known = true;
      }
      double passed = 0.0;
      for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
        if (weight(begin + bin) == 0.0F) continue;
        passed += double{weight(begin + bin)};
        float left = sum(begin + bin, 0) + left_[0];
        left_[0] = left;
        float right = total_[0] - left;
        for (std::size_t a = 1; a < actions; ++a) {
          left_[a] += sum(begin + bin, a);
          left = std::max(left, left_[a]);
          right = std::max(right, total_[a] - left_[a]);
        }
        if (passed < options_.min_leaf || all_weight - passed < options_.min_leaf) continue;
        const double value = double{left} + double{right};
        if (!Better(value, best)) continue;
        best = value;
        question = {features_.splittable()[i], static_cast<std::uint8_t>(bin)};
      }
    }
    return best;
  }

  /// Rows are moved from right to left of the first question one bin after another; sums on the
  /// right are what is left of all.
  [[nodiscard]] Best BestOfTwo(const std::vector<Row>& rows) {
    Best best = BestOfOne(rows, 1);  // fills all_
    for (const std::uint32_t feature : features_.splittable()) {
      const std::vector<std::vector<Row>> by_bin = ByBin(rows, feature);
      part_.Clear();
      double passed = 0.0;
      double weight = 0.0;
      for (const Row& row : rows) weight += double{row.weight};
      for (std::size_t bin = 0; bin + 1 < by_bin.size(); ++bin) {
        for (const Row& row : by_bin[bin]) {
          part_.Add(row, rewards_.row(row.query).data());
          passed += double{row.weight};
        }
        if (by_bin[bin].empty() || passed < options_.min_leaf ||
            weight - passed < options_.min_leaf) {
          continue;
        }
        Question inner;
        const double value =
            OneQuestion([&](std::size_t b, std::size_t a) { return part_.sum(b)[a]; },
                        [&](std::size_t b) { return part_.weight(b); }, inner) +
            OneQuestion(
                [&](std::size_t b, std::size_t a) { return all_.sum(b)[a] - part_.sum(b)[a]; },
                [&](std::size_t b) { return all_.weight(b) - part_.weight(b); }, inner);
        if (!Better(value, best.value)) continue;
        best.value = value;
        best.question = Question{feature, static_cast<std::uint8_t>(bin)};
      }
    }
    return best;
  }

  [[nodiscard]] Best BestOfThree(const std::vector<Row>& rows) {
    Best best = BestOfTwo(rows);
    for (const std::uint32_t feature : features_.splittable()) {
      for (std::size_t bin = 0; bin + 1 < features_.bins(feature); ++bin) {
        const Question question{feature, static_cast<std::uint8_t>(bin)};
        std::vector<Row> left;
        std::vector<Row> right;
        Divide(rows, question, left, right);
        if (Weight(left) < options_.min_leaf || Weight(right) < options_.min_leaf) continue;
        const double value = BestOfTwo(left).value + BestOfTwo(right).value;
        if (!Better(value, best.value)) continue;
        best.value = value;
        best.question = question;
      }
    }
    return best;
  }

  [[nodiscard]] static double Weight(const std::vector<Row>& rows) {
    double weight = 0.0;
    for (const Row& row : rows) weight += double{row.weight};
    return weight;
  }

  [[nodiscard]] std::vector<std::vector<Row>> ByBin(const std::vector<Row>& rows,
                                                    std::uint32_t feature) const {
    std::vector<std::vector<Row>> by_bin(features_.bins(feature));
    const std::span<const std::uint8_t> bin_of = features_.bin_of(feature);
    for (const Row& row : rows) by_bin[bin_of[row.query]].push_back(row);
    return by_bin;
  }

  const BinnedFeatures& features_;
  const PolicyRewards& rewards_;
  PolicySearchOptions options_;
  Histogram all_;
  Histogram part_;
  std::vector<float> left_;
  std::vector<float> total_;
};

}  // namespace

std::uint32_t PolicyTree::LeafOf(const BinnedFeatures& features, std::size_t query) const {
  std::uint32_t node = 0;
  while (!nodes[node].leaf) {
    const bool left = features.bin_of(nodes[node].feature)[query] <= nodes[node].bin;
    node = left ? nodes[node].left : nodes[node].right;
  }
  return node;
}

PolicyTree SearchPolicy(const BinnedFeatures& features, const PolicyRewards& rewards,
                        std::span<const std::uint32_t> weight, const PolicySearchOptions& options) {
  std::vector<Row> rows;
  for (std::size_t query = 0; query < weight.size(); ++query) {
    if (weight[query] == 0) continue;
    rows.push_back({static_cast<std::uint32_t>(query), static_cast<float>(weight[query])});
  }
  GONOGO_CHECK(!rows.empty() && rewards.actions > 0);
  PolicyTree tree;
  Search(features, rewards, options).Grow(rows, options.depth, 0, tree);
  return tree;
}

}  // namespace gonogo::audit::internal
