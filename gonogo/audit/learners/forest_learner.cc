// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gonogo/audit/learners/internal/cost_tree.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::BinnedFeatures;
using internal::CostTree;
using internal::FeatureColumns;
using internal::TreeTargets;

/// Output-major: all candidates' work, then their time, then their eligibility.
TreeTargets Targets(const LearningProblem& problem) {
  const std::size_t candidates = problem.table().num_candidates();
  const std::size_t kinds =
      1 + (problem.predicts_time() ? 1 : 0) + (problem.predicts_eligibility() ? 1 : 0);
  TreeTargets targets{.outputs = kinds * candidates, .deciding = candidates};
  targets.values.reserve(problem.table().num_queries() * targets.outputs);
  const auto add = [&](double value) { targets.values.push_back(static_cast<float>(value)); };
  for (std::size_t query = 0; query < problem.table().num_queries(); ++query) {
    for (std::size_t c = 0; c < candidates; ++c) add(problem.work_target(query, c));
    for (std::size_t c = 0; c < candidates && problem.predicts_time(); ++c) {
      add(problem.time_target(query, c));
    }
    for (std::size_t c = 0; c < candidates && problem.predicts_eligibility(); ++c) {
      add(problem.eligible(query, c));
    }
  }
  return targets;
}

class ForestLearner final : public Learner {
 public:
  ForestLearner(const LearningProblem& problem, const ForestOptions& options)
      : problem_(problem), options_(options), columns_(problem), targets_(Targets(problem)) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const ForestOptions& options() const { return options_; }

 private:
  /// The clusters' multiplicities, given to each of their queries.
  [[nodiscard]] std::vector<std::uint32_t> PerQuery(
      std::span<const std::uint32_t> per_cluster) const {
    std::vector<std::uint32_t> per_query(problem_.table().num_queries(), 0);
    for (std::size_t k = 0; k < per_cluster.size(); ++k) {
      const QueryRange range = problem_.table().queries_of(k);
      std::fill_n(per_query.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size(),
                  per_cluster[k]);
    }
    return per_query;
  }

  LearningProblem problem_;
  ForestOptions options_;
  FeatureColumns columns_;
  TreeTargets targets_;
};

class FittedForest final : public FittedLearner {
 public:
  FittedForest(const ForestLearner& learner, BinnedFeatures features, std::vector<CostTree> trees)
      : learner_(learner), features_(std::move(features)), trees_(std::move(trees)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    const ForestOptions& options = learner_.options();
    ResizePredictions(learner_.problem(), options.members, range.size(), predictions);
    const std::size_t candidates = predictions.candidates;
    std::vector<double> mean;
    for (std::size_t m = 0; m < options.members; ++m) {
      const auto trees = std::span(trees_).subspan(m * options.trees, options.trees);
      for (std::size_t i = 0; i < range.size(); ++i) {
        Average(trees, range.begin + i, mean);
        auto value = mean.begin();
        for (std::vector<double>* output :
             {&predictions.work, &predictions.time, &predictions.eligible}) {
          if (output->empty()) continue;
          std::copy_n(value, candidates,
                      output->begin() + static_cast<std::ptrdiff_t>(predictions.index(m, i, 0)));
          value += static_cast<std::ptrdiff_t>(candidates);
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

  const ForestLearner& learner_;
  BinnedFeatures features_;
  std::vector<CostTree> trees_;  ///< those of a member stand together
};

nn::EffectModel FittedForest::Describe() const {
  const ForestOptions& options = learner_.options();
  nn::EffectModel model =
      StartEffectModel(learner_.problem(), options.members, nn::EffectLink::kIdentity);
  nn::TreeEffects effects;
  effects.base.assign(model.outputs.size() * model.members * model.candidates, 0.0F);
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    nn::EffectTree tree = trees_[i].Describe(features_);
    for (float& value : tree.values) {
      value = static_cast<float>(double{value} / static_cast<double>(options.trees));
    }
    const std::size_t member = i / options.trees;
    for (std::size_t output = 0; output < model.outputs.size(); ++output) {
      for (std::size_t c = 0; c < model.candidates; ++c) {
        tree.targets.push_back(
            static_cast<std::uint32_t>((output * model.members + member) * model.candidates + c));
      }
    }
    effects.trees.push_back(std::move(tree));
  }
  model.body = std::move(effects);
  return model;
}

std::unique_ptr<FittedLearner> ForestLearner::Fit(const stats::ClusterSplit& split,
                                                  const RngStream& stream,
                                                  const std::stop_token& stop) const {
  BinnedFeatures features(columns_, PerQuery(split.multiplicity), options_.bins);
  const auto splittable = static_cast<double>(features.splittable().size());
  const internal::TreeGrowth growth{.features_tried = static_cast<std::size_t>(std::max(
                                        1.0, std::ceil(options_.feature_share * splittable))),
                                    .min_leaf = static_cast<double>(options_.min_leaf),
                                    .depth = options_.depth};
  std::vector<CostTree> trees;
  for (std::size_t m = 0; m < options_.members; ++m) {
    Rng rng = stream.Child("member").Child(m).Generator();
    const std::vector<std::uint32_t> drawn =
        PerQuery(stats::ResampleUnits(split.multiplicity, rng));
    for (std::size_t t = 0; t < options_.trees; ++t) {
      if (stop.stop_requested()) return nullptr;
      trees.push_back(CostTree::Grow(features, targets_, drawn, growth, rng));
    }
  }
  return std::make_unique<FittedForest>(*this, std::move(features), std::move(trees));
}

}  // namespace

std::unique_ptr<Learner> MakeForestLearner(const LearningProblem& problem,
                                           const ForestOptions& options) {
  GONOGO_CHECK(options.members > 0 && options.trees > 0);
  return std::make_unique<ForestLearner>(problem, options);
}

}  // namespace gonogo::audit
