// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/distilled_tree.h"

#include <algorithm>

#include "gonogo/audit/learners/internal/action_rewards.h"
#include "gonogo/audit/learners/internal/cost_tree.h"
#include "gonogo/audit/learners/internal/policy_rules.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kQuestions = 3;
constexpr std::size_t kQuestionBins = 32;
constexpr double kSmallestLeaf = 10.0;
constexpr double kViolationPriceInWorth = 1.0;  // in units of the target

}  // namespace

DistilledTree Distil(const LearningProblem& problem, std::span<const ActionIndex> choices,
                     const stats::ClusterSplit& split, const RngStream& stream) {
  const std::size_t actions = problem.table().num_actions();
  const internal::ActionRewards rewards = internal::RewardsOf(problem, kViolationPriceInWorth);
  const internal::FeatureColumns columns(problem);
  const std::vector<std::uint32_t> weight = internal::PerQuery(problem, split.multiplicity);
  internal::TreeTargets targets{.outputs = actions, .deciding = actions};
  targets.values.assign(weight.size() * actions, 0.0F);
  for (std::size_t query = 0; query < weight.size(); ++query) {
    if (weight[query] == 0) continue;
    const auto [least, most] = std::ranges::minmax(rewards.row(query));
    targets.values[query * actions + choices[query]] = most - least;
  }
  const internal::BinnedFeatures features(columns, weight, kQuestionBins);
  Rng rng = stream.Generator();
  internal::PolicyTree tree =
      internal::CostTree::Grow(
          features, targets, weight,
          {.features_tried = columns.columns(), .min_leaf = kSmallestLeaf, .depth = kQuestions},
          rng)
          .Policy();
  internal::Prune(tree);
  DistilledTree distilled{.rules = RulesOf(tree, features, columns, problem.table().actions)};
  for (std::size_t query = 0; query < weight.size(); ++query) {
    distilled.choices.push_back(tree.nodes[tree.LeafOf(features, query)].action);
  }
  return distilled;
}

}  // namespace gonogo::audit
