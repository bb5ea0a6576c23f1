// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gonogo/audit/learners/internal/action_rewards.h"
#include "gonogo/audit/learners/internal/vote_tree.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::ActionRewards;
using internal::BinnedFeatures;
using internal::FeatureColumns;
using internal::VoteTree;

/// Two actions that are compared, the lower index first.
struct ActionPair {
  ActionIndex first;
  ActionIndex second;
};

std::vector<ActionPair> PairsOf(std::span<const ActionIndex> actions) {
  std::vector<ActionPair> pairs;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (std::size_t j = i + 1; j < actions.size(); ++j) pairs.push_back({actions[i], actions[j]});
  }
  return pairs;
}

/// What a vote for the first of a pair adds to the prediction of a candidate, which is the votes
/// for the reference less its own: a vote for the reference is one against every candidate.
double Added(const ActionPair& pair, ActionIndex candidate) {
  if (candidate == kDirect) return 0.0;
  return (pair.first == kDirect ? 1.0 : 0.0) - (candidate == pair.first ? 1.0 : 0.0) +
         (candidate == pair.second ? 1.0 : 0.0);
}

class PairwiseLearner final : public Learner {
 public:
  PairwiseLearner(const LearningProblem& problem, const PairwiseOptions& options)
      : problem_(problem),
        options_(options),
        columns_(problem),
        rewards_(internal::RewardsOf(problem, options.violation_price)) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const PairwiseOptions& options() const { return options_; }

 private:
  LearningProblem problem_;
  PairwiseOptions options_;
  FeatureColumns columns_;
  ActionRewards rewards_;
};

class FittedPairwise final : public FittedLearner {
 public:
  /// `trees` stand pair by pair, those of a pair member by member.
  FittedPairwise(const PairwiseLearner& learner, BinnedFeatures features,
                 std::vector<ActionIndex> actions, std::vector<VoteTree> trees)
      : learner_(learner),
        features_(std::move(features)),
        actions_(std::move(actions)),
        pairs_(PairsOf(actions_)),
        trees_(std::move(trees)),
        scale_(std::exp2(-std::ceil(
            std::log2(static_cast<double>(2 * actions_.size() * learner.options().trees))))) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override;
  [[nodiscard]] nn::EffectModel Describe() const override;

 private:
  /// What an action that was left out in training is predicted to cost: never chosen.
  static constexpr double kLeftOut = 1.0;

  [[nodiscard]] std::span<const VoteTree> TreesOf(std::size_t pair, std::size_t member) const {
    const PairwiseOptions& options = learner_.options();
    return std::span(trees_).subspan((pair * options.members + member) * options.trees,
                                     options.trees);
  }

  const PairwiseLearner& learner_;
  BinnedFeatures features_;
  std::vector<ActionIndex> actions_;
  std::vector<ActionPair> pairs_;
  std::vector<VoteTree> trees_;
  double scale_;  ///< of votes; a power of two, so that it costs no digit
};

void FittedPairwise::Predict(QueryRange range, MemberPredictions& predictions) const {
  const LearningProblem& problem = learner_.problem();
  const std::size_t members = learner_.options().members;
  ResizePredictions(problem, members, range.size(), predictions);
  std::fill(predictions.work.begin(), predictions.work.end(), kLeftOut);
  std::fill(predictions.time.begin(), predictions.time.end(), problem.time_limit());
  std::fill(predictions.eligible.begin(), predictions.eligible.end(), 1.0);
  std::vector<double> votes(problem.table().num_actions());
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t i = 0; i < range.size(); ++i) {
      std::fill(votes.begin(), votes.end(), 0.0);
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        double vote = 0.0;
        for (const VoteTree& tree : TreesOf(p, m)) vote += tree.Vote(features_, range.begin + i);
        votes[pairs_[p].first] += vote;
        votes[pairs_[p].second] -= vote;
      }
      for (const ActionIndex action : actions_) {
        if (action == kDirect) continue;
        predictions.work[predictions.index(m, i, action - 1)] =
            scale_ * (votes[kDirect] - votes[action]);
      }
    }
  }
}

nn::EffectModel FittedPairwise::Describe() const {
  const LearningProblem& problem = learner_.problem();
  const std::size_t members = learner_.options().members;
  nn::EffectModel model = StartEffectModel(problem, members, nn::EffectLink::kIdentity);
  nn::TreeEffects effects;
  for (const nn::EffectOutput& output : model.outputs) {
    double base = 1.0;  // eligible
    if (output.name == "work") base = kLeftOut;
    if (output.name == "time") base = problem.time_limit();
    effects.base.insert(effects.base.end(), members * model.candidates, static_cast<float>(base));
  }
  const auto target = [&](std::size_t member, ActionIndex action) {
    return static_cast<std::uint32_t>(member * model.candidates + action - 1);
  };
  for (const ActionIndex action : actions_) {
    for (std::size_t m = 0; action != kDirect && m < members; ++m) {
      effects.base[target(m, action)] = 0.0F;
    }
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    for (std::size_t m = 0; m < members; ++m) {
      for (const VoteTree& grown : TreesOf(p, m)) {
        nn::EffectTree tree = grown.Describe(features_);
        const std::vector<float> votes = std::exchange(tree.values, {});
        for (const ActionIndex action : actions_) {
          if (Added(pairs_[p], action) != 0.0) tree.targets.push_back(target(m, action));
        }
        for (const float vote : votes) {
          for (const ActionIndex action : actions_) {
            const double added = Added(pairs_[p], action);
            if (added == 0.0) continue;
            tree.values.push_back(static_cast<float>(scale_ * added * vote));
          }
        }
        effects.trees.push_back(std::move(tree));
      }
    }
  }
  model.body = std::move(effects);
  return model;
}

std::unique_ptr<FittedLearner> PairwiseLearner::Fit(const stats::ClusterSplit& split,
                                                    const RngStream& stream,
                                                    const std::stop_token& stop) const {
  const std::vector<std::uint32_t> weight = internal::PerQuery(problem_, split.multiplicity);
  std::vector<ActionIndex> actions =
      internal::UsefulActions(rewards_, weight, options_.most_actions);
  BinnedFeatures features(columns_, weight, options_.bins);
  const auto splittable = static_cast<double>(features.splittable().size());
  const internal::TreeGrowth growth{
      .features_tried = static_cast<std::size_t>(std::ceil(std::sqrt(std::max(1.0, splittable)))),
      .min_leaf = static_cast<double>(options_.min_leaf),
      .depth = options_.depth};
  // All pairs of a member see the same draw of clusters.
  std::vector<std::vector<VoteTree::Row>> samples(options_.members);
  for (std::size_t m = 0; m < options_.members; ++m) {
    Rng rng = stream.Child("draws").Child(m).Generator();
    const std::vector<std::uint32_t> drawn =
        internal::PerQuery(problem_, stats::ResampleUnits(split.multiplicity, rng));
    for (std::size_t query = 0; query < drawn.size(); ++query) {
      if (drawn[query] == 0) continue;
      samples[m].push_back({static_cast<std::uint32_t>(query), static_cast<float>(drawn[query])});
    }
  }
  std::vector<VoteTree> trees;
  std::vector<float> difference(weight.size());
  for (const ActionPair& pair : PairsOf(actions)) {
    for (std::size_t query = 0; query < weight.size(); ++query) {
      const std::span<const float> reward = rewards_.row(query);
      difference[query] = reward[pair.first] - reward[pair.second];
    }
    Rng rng = stream.Child("pair").Child(pair.first).Child(pair.second).Generator();
    for (const std::vector<VoteTree::Row>& sample : samples) {
      if (stop.stop_requested()) return nullptr;
      for (std::size_t t = 0; t < options_.trees; ++t) {
        trees.push_back(VoteTree::Grow(features, sample, difference, growth, rng));
      }
    }
  }
  return std::make_unique<FittedPairwise>(*this, std::move(features), std::move(actions),
                                          std::move(trees));
}

}  // namespace

std::unique_ptr<Learner> MakePairwiseLearner(const LearningProblem& problem,
                                             const PairwiseOptions& options) {
  GONOGO_CHECK(options.members > 0 && options.trees > 0 && options.most_actions >= 2);
  return std::make_unique<PairwiseLearner>(problem, options);
}

}  // namespace gonogo::audit
