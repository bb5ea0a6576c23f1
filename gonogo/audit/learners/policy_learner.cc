// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/learners/internal/policy_search.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::BinnedFeatures;
using internal::FeatureColumns;
using internal::PolicyRewards;
using internal::PolicyTree;

constexpr double kCheaper = -1e-9;  // what the selector needs at least to leave the reference

PolicyRewards Rewards(const LearningProblem& problem, double violation_price) {
  const OutcomeTable& table = problem.table();
  PolicyRewards rewards{.actions = table.num_actions()};
  rewards.values.reserve(table.num_queries() * rewards.actions);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    rewards.values.push_back(0.0F);
    for (std::size_t c = 0; c < table.num_candidates(); ++c) {
      const double broken = problem.outcomes->violation(query, static_cast<ActionIndex>(c + 1));
      rewards.values.push_back(
          static_cast<float>(-problem.work_target(query, c) - violation_price * broken));
    }
  }
  return rewards;
}

class PolicyLearner final : public Learner {
 public:
  PolicyLearner(const LearningProblem& problem, const PolicyOptions& options)
      : problem_(problem),
        options_(options),
        columns_(problem),
        rewards_(Rewards(problem, options.violation_price)) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const FeatureColumns& columns() const { return columns_; }

 private:
  void Gate(const stats::ClusterSplit& split, const BinnedFeatures& features,
            PolicyTree& tree) const;

  LearningProblem problem_;
  PolicyOptions options_;
  FeatureColumns columns_;
  PolicyRewards rewards_;
};

/// A question whose answers do the same is none.
void Prune(PolicyTree& tree, std::uint32_t node = 0) {
  if (tree.nodes[node].leaf) return;
  Prune(tree, tree.nodes[node].left);
  Prune(tree, tree.nodes[node].right);
  const PolicyTree::Node& left = tree.nodes[tree.nodes[node].left];
  const PolicyTree::Node& right = tree.nodes[tree.nodes[node].right];
  if (!left.leaf || !right.leaf || left.action != right.action) return;
  tree.nodes[node] = {.leaf = true, .action = left.action};
}

class FittedPolicy final : public FittedLearner {
 public:
  FittedPolicy(const PolicyLearner& learner, BinnedFeatures features, PolicyTree tree)
      : learner_(learner), features_(std::move(features)), tree_(std::move(tree)) {}

  /// What makes the selector choose the leaf's action: it alone is cheaper, in time and eligible.
  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    const LearningProblem& problem = learner_.problem();
    ResizePredictions(problem, 1, range.size(), predictions);
    std::fill(predictions.work.begin(), predictions.work.end(), 0.0);
    std::fill(predictions.time.begin(), predictions.time.end(), problem.time_limit());
    std::fill(predictions.eligible.begin(), predictions.eligible.end(), 0.0);
    for (std::size_t i = 0; i < range.size(); ++i) {
      const ActionIndex action = tree_.nodes[tree_.LeafOf(features_, range.begin + i)].action;
      if (action == kDirect) continue;
      const std::size_t chosen = predictions.index(0, i, action - 1);
      predictions.work[chosen] = kCheaper;
      if (!predictions.eligible.empty()) predictions.eligible[chosen] = 1.0;
    }
  }

  /// One tree whose leaves hold what `Predict` says of every candidate.
  [[nodiscard]] nn::EffectModel Describe() const override {
    const LearningProblem& problem = learner_.problem();
    nn::EffectModel model = StartEffectModel(problem, 1, nn::EffectLink::kIdentity);
    const std::size_t targets = model.outputs.size() * model.candidates;
    nn::EffectTree tree;
    for (std::size_t t = 0; t < targets; ++t) tree.targets.push_back(static_cast<unsigned>(t));
    for (const PolicyTree::Node& node : tree_.nodes) {
      if (!node.leaf) {
        tree.nodes.push_back({.feature = static_cast<std::int32_t>(node.feature),
                              .threshold = features_.float_cut(node.feature, node.bin),
                              .below = node.left,
                              .other = node.right});
        continue;
      }
      tree.nodes.push_back({.leaf = static_cast<std::uint32_t>(tree.values.size() / targets)});
      for (const nn::EffectOutput& output : model.outputs) {
        for (std::size_t c = 0; c < model.candidates; ++c) {
          const bool chosen = node.action == c + 1;
          double value = chosen ? kCheaper : 0.0;
          if (output.name == "time") value = problem.time_limit();
          if (output.name == "eligible") value = chosen ? 1.0 : 0.0;
          tree.values.push_back(static_cast<float>(value));
        }
      }
    }
    nn::TreeEffects effects;
    effects.base.assign(targets, 0.0F);
    effects.trees.push_back(std::move(tree));
    model.body = std::move(effects);
    return model;
  }

  [[nodiscard]] std::vector<std::string> Rules() const override {
    std::vector<std::string> rules;
    std::vector<std::string> conditions;
    AddRules(0, conditions, rules);
    return rules;
  }

 private:
  void AddRules(std::uint32_t at, std::vector<std::string>& conditions,
                std::vector<std::string>& rules) const {
    const PolicyTree::Node& node = tree_.nodes[at];
    if (node.leaf) {
      const std::string& action = learner_.problem().table().actions[node.action];
      rules.push_back(conditions.empty()
                          ? fmt::format("always {}", action)
                          : fmt::format("{}: {}", fmt::join(conditions, " and "), action));
      return;
    }
    const std::string& name = learner_.columns().name(node.feature);
    const double cut = features_.cut(node.feature, node.bin);
    conditions.push_back(fmt::format("{} < {:.4g}", name, cut));
    AddRules(node.left, conditions, rules);
    conditions.back() = fmt::format("{} >= {:.4g}", name, cut);
    AddRules(node.right, conditions, rules);
    conditions.pop_back();
  }

  const PolicyLearner& learner_;
  BinnedFeatures features_;
  PolicyTree tree_;
};

/// Back to the reference wherever a leaf's gain may be chance.
void PolicyLearner::Gate(const stats::ClusterSplit& split, const BinnedFeatures& features,
                         PolicyTree& tree) const {
  struct Gain {
    double sum = 0.0;
    double squares = 0.0;
  };
  std::vector<Gain> gain(tree.nodes.size());
  double clusters = 0.0;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (split.is_held_out(k)) continue;
    const double times = split.multiplicity[k];
    clusters += times;
    std::vector<double> own(tree.nodes.size(), 0.0);
    const QueryRange range = problem_.table().queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      const std::uint32_t leaf = tree.LeafOf(features, query);
      own[leaf] += double{rewards_.row(query)[tree.nodes[leaf].action]};
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      gain[i].sum += times * own[i];
      gain[i].squares += times * own[i] * own[i];
    }
  }
  for (std::size_t i = 0; i < gain.size(); ++i) {
    if (!tree.nodes[i].leaf || tree.nodes[i].action == kDirect) continue;
    const double centred = gain[i].squares - gain[i].sum * gain[i].sum / clusters;
    const double variance =
        clusters > 1.0 ? std::max(0.0, centred) * clusters / (clusters - 1.0) : 0.0;
    if (!(gain[i].sum > options_.z * std::sqrt(variance))) tree.nodes[i].action = kDirect;
  }
  Prune(tree);
}

std::unique_ptr<FittedLearner> PolicyLearner::Fit(const stats::ClusterSplit& split,
                                                  const RngStream& /*stream*/,
                                                  const std::stop_token& stop) const {
  std::vector<std::uint32_t> weight(problem_.table().num_queries(), 0);
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    const QueryRange range = problem_.table().queries_of(k);
    std::fill_n(weight.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size(),
                split.multiplicity[k]);
  }
  BinnedFeatures features(columns_, weight, options_.bins);
  PolicyTree tree = internal::SearchPolicy(
      features, rewards_, weight,
      {.depth = options_.depth, .min_leaf = static_cast<double>(options_.min_leaf)});
  if (stop.stop_requested()) return nullptr;
  Gate(split, features, tree);
  return std::make_unique<FittedPolicy>(*this, std::move(features), std::move(tree));
}

}  // namespace

std::unique_ptr<Learner> MakePolicyLearner(const LearningProblem& problem,
                                           const PolicyOptions& options) {
  GONOGO_CHECK(options.depth > 0);
  return std::make_unique<PolicyLearner>(problem, options);
}

}  // namespace gonogo::audit
