// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gonogo/audit/learners/internal/action_rewards.h"
#include "gonogo/audit/learners/internal/cost_tree.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::BinnedFeatures;
using internal::CostTree;
using internal::FeatureColumns;
using internal::TreeTargets;

constexpr double kViolationPrice = 1.0;  // of actions to be kept, in units of the target

/// Output-major: the work of the candidates that are kept, then their time, then their eligibility.
TreeTargets Targets(const LearningProblem& problem, ForestSplits splits,
                    std::span<const std::size_t> kept) {
  const std::size_t kinds =
      1 + (problem.predicts_time() ? 1 : 0) + (problem.predicts_eligibility() ? 1 : 0);
  TreeTargets targets{.outputs = kinds * kept.size()};
  targets.deciding = splits == ForestSplits::kCost ? kept.size() : targets.outputs;
  targets.values.reserve(problem.table().num_queries() * targets.outputs);
  const auto add = [&](double value) { targets.values.push_back(static_cast<float>(value)); };
  for (std::size_t query = 0; query < problem.table().num_queries(); ++query) {
    for (const std::size_t c : kept) add(problem.work_target(query, c));
    for (const std::size_t c : kept) {
      if (problem.predicts_time()) add(problem.time_target(query, c));
    }
    for (const std::size_t c : kept) {
      if (problem.predicts_eligibility()) add(problem.eligible(query, c));
    }
  }
  return targets;
}

class ForestLearner final : public Learner {
 public:
  ForestLearner(const LearningProblem& problem, const ForestOptions& options)
      : problem_(problem),
        options_(options),
        columns_(problem),
        every_(problem.table().num_candidates()),
        rewards_(internal::RewardsOf(problem, kViolationPrice)) {
    std::iota(every_.begin(), every_.end(), std::size_t{0});
    targets_ = Targets(problem, options.splits, every_);
  }

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const ForestOptions& options() const { return options_; }

 private:
  LearningProblem problem_;
  ForestOptions options_;
  /// The candidates that are worth learning about, from the training queries alone.
  [[nodiscard]] std::vector<std::size_t> Kept(std::span<const std::uint32_t> weight) const;

  FeatureColumns columns_;
  std::vector<std::size_t> every_;  ///< candidate
  internal::ActionRewards rewards_;
  TreeTargets targets_;  ///< of every candidate
};

class FittedForest final : public FittedLearner {
 public:
  FittedForest(const ForestLearner& learner, BinnedFeatures features, std::vector<std::size_t> kept,
               std::vector<CostTree> trees)
      : learner_(learner),
        features_(std::move(features)),
        kept_(std::move(kept)),
        trees_(std::move(trees)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    const ForestOptions& options = learner_.options();
    ResizePredictions(learner_.problem(), options.members, range.size(), predictions);
    if (kept_.size() < predictions.candidates) {
      std::fill(predictions.work.begin(), predictions.work.end(), kLeftOut);
      std::fill(predictions.time.begin(), predictions.time.end(), kLeftOut);
      std::fill(predictions.eligible.begin(), predictions.eligible.end(), 0.0);
    }
    std::vector<double> mean;
    for (std::size_t m = 0; m < options.members; ++m) {
      const auto trees = std::span(trees_).subspan(m * options.trees, options.trees);
      for (std::size_t i = 0; i < range.size(); ++i) {
        Average(trees, range.begin + i, mean);
        auto value = mean.begin();
        for (std::vector<double>* output :
             {&predictions.work, &predictions.time, &predictions.eligible}) {
          if (output->empty()) continue;
          for (const std::size_t c : kept_) (*output)[predictions.index(m, i, c)] = *value++;
        }
      }
    }
  }

  [[nodiscard]] nn::EffectModel Describe() const override;

 private:
  void Average(std::span<const CostTree> trees, std::size_t query,
               std::vector<double>& mean) const {
    mean.clear();
    for (const CostTree& tree : trees) {
      const std::span<const float> leaf = tree.Predict(features_, query);
      mean.resize(leaf.size(), 0.0);
      for (std::size_t j = 0; j < leaf.size(); ++j) mean[j] += double{leaf[j]};
    }
    for (double& value : mean) value /= static_cast<double>(trees.size());
  }

  /// What a candidate that was left out in training is predicted to cost: never chosen.
  static constexpr double kLeftOut = 1.0;

  const ForestLearner& learner_;
  BinnedFeatures features_;
  std::vector<std::size_t> kept_;  ///< candidates that the trees know
  std::vector<CostTree> trees_;    ///< those of a member stand together
};

nn::EffectModel FittedForest::Describe() const {
  const ForestOptions& options = learner_.options();
  nn::EffectModel model =
      StartEffectModel(learner_.problem(), options.members, nn::EffectLink::kIdentity);
  nn::TreeEffects effects;
  const auto target = [&](std::size_t output, std::size_t member, std::size_t candidate) {
    return (output * model.members + member) * model.candidates + candidate;
  };
  for (const nn::EffectOutput& output : model.outputs) {
    effects.base.insert(effects.base.end(), model.members * model.candidates,
                        output.name == "eligible" ? 0.0F : static_cast<float>(kLeftOut));
  }
  for (std::size_t output = 0; output < model.outputs.size(); ++output) {
    for (std::size_t m = 0; m < model.members; ++m) {
      for (const std::size_t c : kept_) effects.base[target(output, m, c)] = 0.0F;
    }
  }
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    nn::EffectTree tree = trees_[i].Describe(features_);
    for (float& value : tree.values) {
      value = static_cast<float>(double{value} / static_cast<double>(options.trees));
    }
    const std::size_t member = i / options.trees;
    for (std::size_t output = 0; output < model.outputs.size(); ++output) {
      for (const std::size_t c : kept_) {
        tree.targets.push_back(static_cast<std::uint32_t>(target(output, member, c)));
      }
    }
    effects.trees.push_back(std::move(tree));
  }
  model.body = std::move(effects);
  return model;
}

std::vector<std::size_t> ForestLearner::Kept(std::span<const std::uint32_t> weight) const {
  const std::size_t most = options_.most_actions;
  if (most == 0 || most >= problem_.table().num_actions()) return every_;
  std::vector<std::size_t> kept;
  for (const ActionIndex action : internal::UsefulActions(rewards_, weight, most)) {
    if (action != kDirect) kept.push_back(action - 1U);
  }
  if (kept.empty()) kept.push_back(0);  // the trees need something to learn
  return kept;
}

std::unique_ptr<FittedLearner> ForestLearner::Fit(const stats::ClusterSplit& split,
                                                  const RngStream& stream,
                                                  const std::stop_token& stop) const {
  const std::vector<std::uint32_t> weight = internal::PerQuery(problem_, split.multiplicity);
  std::vector<std::size_t> kept = Kept(weight);
  const bool all = kept.size() == every_.size();
  const TreeTargets some = all ? TreeTargets{} : Targets(problem_, options_.splits, kept);
  BinnedFeatures features(columns_, weight, options_.bins);
  const auto splittable = static_cast<double>(features.splittable().size());
  const internal::TreeGrowth growth{.features_tried = static_cast<std::size_t>(std::max(
                                        1.0, std::ceil(options_.feature_share * splittable))),
                                    .min_leaf = static_cast<double>(options_.min_leaf),
                                    .depth = options_.depth};
  std::vector<CostTree> trees;
  for (std::size_t m = 0; m < options_.members; ++m) {
    Rng rng = stream.Child("member").Child(m).Generator();
    const std::vector<std::uint32_t> drawn =
        internal::PerQuery(problem_, stats::ResampleUnits(split.multiplicity, rng));
    for (std::size_t t = 0; t < options_.trees; ++t) {
      if (stop.stop_requested()) return nullptr;
      trees.push_back(CostTree::Grow(features, all ? targets_ : some, drawn, growth, rng));
    }
  }
  return std::make_unique<FittedForest>(*this, std::move(features), std::move(kept),
                                        std::move(trees));
}

}  // namespace

std::unique_ptr<Learner> MakeForestLearner(const LearningProblem& problem,
                                           const ForestOptions& options) {
  GONOGO_CHECK(options.members > 0 && options.trees > 0);
  return std::make_unique<ForestLearner>(problem, options);
}

}  // namespace gonogo::audit
