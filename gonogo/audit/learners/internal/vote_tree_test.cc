// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/vote_tree.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/learners/internal/action_rewards.h"
#include "gonogo/audit/learners/testing/tree_sample.h"

namespace gonogo::audit::internal {
namespace {

using testing::ElementsAre;

std::vector<VoteTree::Row> Once(std::size_t queries) {
  std::vector<VoteTree::Row> rows;
  for (std::size_t i = 0; i < queries; ++i) rows.push_back({static_cast<std::uint32_t>(i), 1.0F});
  return rows;
}

TEST(VoteTreeTest, ALeafVotesWithTheSharesOfTheWeight) {
  const TreeSample sample(Column({1, 1, 1, 1}));
  const BinnedFeatures features(sample.Columns(), std::vector<std::uint32_t>(4, 1), 32);
  // 3 for the first action, 1 for the second; the query without a difference is not asked.
  const std::vector<float> difference = {2.0F, -1.0F, 1.0F, 0.0F};
  Rng rng = RngStream(1).Generator();
  const VoteTree tree = VoteTree::Grow(features, Once(4), difference, {.min_leaf = 1}, rng);
  EXPECT_EQ(tree.Vote(features, 0), 0.5F);  // (3 - 1) / 4
}

TEST(VoteTreeTest, AbstainsWhereTheActionsAreAlike) {
  const TreeSample sample(Column({1, 2, 3}));
  const BinnedFeatures features(sample.Columns(), std::vector<std::uint32_t>(3, 1), 32);
  Rng rng = RngStream(1).Generator();
  const VoteTree tree =
      VoteTree::Grow(features, Once(3), std::vector<float>(3, 0.0F), {.min_leaf = 1}, rng);
  EXPECT_EQ(tree.Vote(features, 2), 0.0F);
}

/// The weighted Gini impurity of a set of differences, times its weight.
double Impurity(const std::vector<float>& differences) {
  double first = 0.0;
  double second = 0.0;
  for (const float d : differences) (d > 0.0F ? first : second) += std::abs(d);
  const double weight = first + second;
  return weight > 0.0 ? 2.0 * first * second / weight : 0.0;
}

TEST(VoteTreeTest, TheFirstSplitIsTheOneThatAnExhaustiveSearchForTheLeastImpurityFinds) {
  for (int world = 0; world < 50; ++world) {
    Rng rng = RngStream(7).Child(static_cast<std::uint64_t>(world)).Generator();
    FeatureMatrix values(20, 3);
    std::vector<float> difference;
    for (Eigen::Index i = 0; i < 20; ++i) {
      for (Eigen::Index j = 0; j < 3; ++j) values(i, j) = static_cast<float>(rng.Normal());
      difference.push_back(static_cast<float>(rng.Normal()) + values(i, 1));
    }
    const TreeSample sample(values);
    const BinnedFeatures features(sample.Columns(), std::vector<std::uint32_t>(20, 1), 32);
    const VoteTree tree = VoteTree::Grow(features, Once(20), difference,
                                         {.features_tried = 3, .min_leaf = 4, .depth = 1}, rng);
    double least = Impurity(difference);
    std::vector<float> votes;  // of the best division
    for (Eigen::Index j = 0; j < 3; ++j) {
      for (Eigen::Index cut = 0; cut < 20; ++cut) {
        std::vector<float> left;
        std::vector<float> right;
        for (Eigen::Index i = 0; i < 20; ++i) {
          (values(i, j) < values(cut, j) ? left : right)
              .push_back(difference[static_cast<std::size_t>(i)]);
        }
        if (left.size() < 4 || right.size() < 4) continue;
        const double both = Impurity(left) + Impurity(right);
        if (both >= least - 1e-6) continue;
        least = both;
        votes.clear();
        for (Eigen::Index i = 0; i < 20; ++i) {
          const std::vector<float>& side = values(i, j) < values(cut, j) ? left : right;
          double gain = 0.0;
          double weight = 0.0;
          for (const float d : side) gain += d, weight += std::abs(d);
          votes.push_back(static_cast<float>(gain / weight));
        }
      }
    }
    ASSERT_EQ(votes.size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(tree.Vote(features, i), votes[i], VoteTree::kVote) << world;
    }
  }
}

TEST(VoteTreeTest, ItsDescriptionVotesTheSame) {
  FeatureMatrix values(60, 2);
  std::vector<float> difference;
  Rng rng = RngStream(3).Generator();
  for (Eigen::Index i = 0; i < 60; ++i) {
    values(i, 0) = static_cast<float>(rng.Normal());
    values(i, 1) = static_cast<float>(rng.Normal());
    difference.push_back(static_cast<float>(rng.Normal()));
  }
  const TreeSample sample(values);
  const BinnedFeatures features(sample.Columns(), std::vector<std::uint32_t>(60, 1), 32);
  const VoteTree tree =
      VoteTree::Grow(features, Once(60), difference, {.features_tried = 2, .min_leaf = 2}, rng);
  const nn::EffectTree told = tree.Describe(features);
  for (Eigen::Index i = 0; i < 60; ++i) {
    std::uint32_t node = 0;
    while (told.nodes[node].feature >= 0) {
      node = values(i, told.nodes[node].feature) < told.nodes[node].threshold
                 ? told.nodes[node].below
                 : told.nodes[node].other;
    }
    EXPECT_EQ(told.values[told.nodes[node].leaf], tree.Vote(features, static_cast<std::size_t>(i)));
  }
}

TEST(UsefulActionsTest, TakesTheActionsWhoseBestChoiceGainsMost) {
  // Action 1 gains most alone; beside it action 3 adds more than action 2 does.
  const ActionRewards rewards{.actions = 4,
                              .values = {0, 5, 4, 0,   //
                                         0, 5, 4, 0,   //
                                         0, -9, 1, 3,  //
                                         0, -9, 9, 9}};
  const std::vector<std::uint32_t> weight = {1, 1, 1, 0};  // the last query is held out
  EXPECT_THAT(UsefulActions(rewards, weight, 3), ElementsAre(0, 1, 3));
  EXPECT_THAT(UsefulActions(rewards, weight, 2), ElementsAre(0, 1));
  // No training query gains from action 2 beside the others: it is not needed.
  EXPECT_THAT(UsefulActions(rewards, weight, 4), ElementsAre(0, 1, 3));
}

}  // namespace
}  // namespace gonogo::audit::internal
