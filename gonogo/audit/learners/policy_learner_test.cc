// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/internal/policy_search.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;

/// Sixteen queries, two features with the values 0 to 3 in all combinations, a cluster for each y.
/// `b` saves 10 where exactly one of them is above 1.5, and costs 10 more elsewhere: no single
/// question helps, two do.
OutcomeTable ExclusiveOr() {
  OutcomeTable table{.actions = {"a", "b"}, .clusters = {"0", "1", "2", "3"}};
  FeatureGroup group{.name = "f", .columns = {"f_x", "f_y"}, .values = FeatureMatrix(16, 2)};
  table.cluster_begin.push_back(0);
  for (int i = 0; i < 16; ++i) {
    const int x = i % 4;
    const int y = i / 4;
    group.values(i, 0) = static_cast<float>(x);
    group.values(i, 1) = static_cast<float>(y);
    table.queries.push_back("q" + std::to_string(i));
    table.cost.push_back(20.0);
    table.cost.push_back((x > 1) != (y > 1) ? 10.0 : 30.0);
    if (i % 4 == 3) table.cluster_begin.push_back(static_cast<std::size_t>(i) + 1);
  }
  table.features.push_back(std::move(group));
  return table;
}

std::vector<std::string> RulesOf(const OutcomeTable& table, const PolicyOptions& options) {
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const LearningProblem problem =
      WithTarget(SelectFeatures(outcomes, {}).value(), LearnerTarget::kDifference).value();
  const auto learner = MakePolicyLearner(problem, options);
  const std::vector<std::uint32_t> once(table.num_clusters(), 1);
  return learner->Fit({once}, RngStream(1), {})->Rules();
}

TEST(PolicyLearnerTest, TwoQuestionsFindWhatNoSingleOneCan) {
  const OutcomeTable table = ExclusiveOr();
  EXPECT_THAT(RulesOf(table, {.depth = 1, .min_leaf = 1, .z = 0.0}), ElementsAre("always a"));
  EXPECT_THAT(RulesOf(table, {.depth = 2, .min_leaf = 1, .z = 0.0}),
              ElementsAre("f_x < 1.5 and f_y < 1.5: a", "f_x < 1.5 and f_y >= 1.5: b",
                          "f_x >= 1.5 and f_y < 1.5: b", "f_x >= 1.5 and f_y >= 1.5: a"));
  EXPECT_EQ(RulesOf(table, {.depth = 3, .min_leaf = 1, .z = 0.0}).size(), 4U);
}

TEST(PolicyLearnerTest, ALeafHasEnoughQueriesOrThereIsNone) {
  EXPECT_EQ(RulesOf(ExclusiveOr(), {.depth = 2, .min_leaf = 4, .z = 0.0}).size(), 4U);
  EXPECT_THAT(RulesOf(ExclusiveOr(), {.depth = 2, .min_leaf = 5, .z = 0.0}),
              ElementsAre("always a"));
}

TEST(PolicyLearnerTest, AViolationHasItsPrice) {
  OutcomeTable table = ExclusiveOr();
  table.success.assign(32, 1);
  for (std::size_t query = 0; query < 16; ++query) table.success[2 * query + 1] = 0;
  // The mean reference costs 20, a saving is half of that.
  EXPECT_EQ(RulesOf(table, {.min_leaf = 1, .z = 0.0, .violation_price = 0.4}).size(), 4U);
  EXPECT_THAT(RulesOf(table, {.min_leaf = 1, .z = 0.0, .violation_price = 0.6}),
              ElementsAre("always a"));
}

TEST(PolicyLearnerTest, AGainThatOneClusterMakesIsNoReasonToDepart) {
  OutcomeTable table = ExclusiveOr();
  for (double& cost : table.cost) cost = 20.0;
  for (std::size_t query = 0; query < 4; ++query) table.cost[2 * query + 1] = 10.0;
  // The first cluster gains 40, the others nothing: a sum of 40 with a standard error of 40.
  EXPECT_THAT(RulesOf(table, {.depth = 1, .min_leaf = 1, .z = 0.9}), ElementsAre("always b"));
  EXPECT_THAT(RulesOf(table, {.depth = 1, .min_leaf = 1, .z = 1.1}), ElementsAre("always a"));
}

/// The largest reward of any tree of two questions, by trying all of them.
double BestByHand(const internal::BinnedFeatures& features, const internal::PolicyRewards& rewards,
                  std::span<const std::size_t> rows, std::size_t depth) {
  std::vector<double> sum(rewards.actions, 0.0);
  for (const std::size_t row : rows) {
    for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += double{rewards.row(row)[a]};
  }
  double best = *std::max_element(sum.begin(), sum.end());
  for (const std::uint32_t feature : features.splittable()) {
    for (std::size_t bin = 0; depth > 0 && bin + 1 < features.bins(feature); ++bin) {
      std::vector<std::size_t> left;
      std::vector<std::size_t> right;
      for (const std::size_t row : rows) {
        (features.bin_of(feature)[row] <= bin ? left : right).push_back(row);
      }
      if (left.empty() || right.empty()) continue;
      best = std::max(best, BestByHand(features, rewards, left, depth - 1) +
                                BestByHand(features, rewards, right, depth - 1));
    }
  }
  return best;
}

TEST(PolicySearchTest, FindsTheBestOfAllTreesOfTwoAndOfThreeQuestions) {
  Rng rng = RngStream(3).Generator();
  OutcomeTable table = ExclusiveOr();
  FeatureGroup& group = table.features[0];
  group.columns = {"f_x", "f_y", "f_z"};
  group.values = FeatureMatrix(16, 3);
  for (Eigen::Index i = 0; i < group.values.size(); ++i) {
    group.values.data()[i] = static_cast<float>(rng.Below(4));
  }
  internal::PolicyRewards rewards{.actions = 3};
  for (std::size_t query = 0; query < 16; ++query) {
    rewards.values.push_back(0.0F);
    rewards.values.push_back(static_cast<float>(rng.Normal()));
    rewards.values.push_back(static_cast<float>(rng.Normal()));
  }
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const internal::FeatureColumns columns(SelectFeatures(outcomes, {}).value());
  const std::vector<std::uint32_t> weight(16, 1);
  const internal::BinnedFeatures features(columns, weight, 16);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 16; ++i) rows.push_back(i);
  for (const std::size_t depth : {1U, 2U, 3U}) {
    const internal::PolicyTree tree =
        internal::SearchPolicy(features, rewards, weight, {.depth = depth, .min_leaf = 1.0});
    double value = 0.0;
    for (const std::size_t row : rows) {
      value += double{rewards.row(row)[tree.nodes[tree.LeafOf(features, row)].action]};
    }
    EXPECT_NEAR(value, BestByHand(features, rewards, rows, depth), 1e-5) << depth;
  }
}

TEST(PolicyLearnerTest, RecoversTheSignalOfThePositiveControlAndSaysHow) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kPolicy;
  protocol.bootstrap.refits = 10;
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  EXPECT_THAT(
      result.adapter_rules,
      testing::Contains(testing::ContainsRegex("target_[a-z0-9]+ (<|>=) .*: (left|right)")));
  const OutcomeTable null = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  EXPECT_NE(RunAudit(null, protocol, {}, {}).value().reading->verdict, Verdict::kGo);
}

}  // namespace
}  // namespace gonogo::audit
