// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/cost_tree.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit::internal {
namespace {

using testing::ElementsAre;

/// Queries with the given features (row by row), each a cluster of its own.
struct TreeSample {
  explicit TreeSample(FeatureMatrix features)
      : table{.actions = {"a", "b"}}, outcomes{.table = &table} {
    for (Eigen::Index i = 0; i <= features.rows(); ++i) {
      table.cluster_begin.push_back(static_cast<std::size_t>(i));
    }
    FeatureGroup group{.name = "f", .values = std::move(features)};
    for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
      group.columns.push_back("f_" + std::to_string(j));
    }
    table.features.push_back(std::move(group));
  }
  TreeSample(const TreeSample&) = delete;
  TreeSample& operator=(const TreeSample&) = delete;

  [[nodiscard]] FeatureColumns Columns() const {
    return FeatureColumns({.outcomes = &outcomes, .features = {&table.features[0]}});
  }

  OutcomeTable table;
  PotentialOutcomes outcomes;
};

FeatureMatrix Column(std::initializer_list<float> values) {
  FeatureMatrix column(static_cast<Eigen::Index>(values.size()), 1);
  Eigen::Index row = 0;
  for (const float value : values) column(row++, 0) = value;
  return column;
}

std::vector<std::uint8_t> BinsOf(const BinnedFeatures& features) {
  return {features.bin_of(0).begin(), features.bin_of(0).end()};
}

TEST(BinnedFeaturesTest, CutsHalfwayBetweenTrainingValuesOnly) {
  const TreeSample sample(Column({4, 1, 2, 100, 2.9F, 3.1F}));
  const std::vector<std::uint32_t> weight = {1, 1, 1, 0, 0, 0};
  const BinnedFeatures features(sample.Columns(), weight, 32);
  // Cuts at 1.5 and 3: what is not trained on falls on its side of them.
  EXPECT_THAT(BinsOf(features), ElementsAre(2, 0, 1, 2, 1, 2));
  EXPECT_EQ(features.cut(0, 0), 1.5);
  EXPECT_EQ(features.cut(0, 1), 3.0);
}

TEST(BinnedFeaturesTest, GivesBinsTheSameWeightAndAHeavyValueOneOfItsOwn) {
  const TreeSample even(Column({1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_THAT(BinsOf(BinnedFeatures(even.Columns(), std::vector<std::uint32_t>(8, 1), 4)),
              ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  const TreeSample heavy(Column({0, 0, 0, 0, 0, 0, 1, 2, 3, 4}));
  EXPECT_THAT(BinsOf(BinnedFeatures(heavy.Columns(), std::vector<std::uint32_t>(10, 1), 3)),
              ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 2, 2));
}

TEST(BinnedFeaturesTest, AConstantColumnCannotBeSplit) {
  FeatureMatrix values(3, 2);
  values << 7, 1, 7, 2, 7, 3;
  const TreeSample sample(values);
  const BinnedFeatures features(sample.Columns(), std::vector<std::uint32_t>(3, 1), 8);
  EXPECT_THAT(features.splittable(), ElementsAre(1U));
}

CostTree GrowOn(const BinnedFeatures& features, const TreeTargets& targets,
                const std::vector<std::uint32_t>& weight, double min_leaf = 1.0,
                std::size_t depth = 64) {
  Rng rng = RngStream(1).Generator();
  return CostTree::Grow(features, targets, weight,
                        {.features_tried = 1000, .min_leaf = min_leaf, .depth = depth}, rng);
}

TEST(CostTreeTest, OneSplitIsTheHandWorkedOne) {
  // The first output alone decides: means 1 and 7 left and right of 2.5 leave the least error. The
  // second would rather split at 1.5.
  const TreeSample sample(Column({1, 2, 3, 4}));
  const TreeTargets targets{.outputs = 2, .deciding = 1, .values = {0, 9, 2, 0, 6, 0, 8, 0}};
  const std::vector<std::uint32_t> once(4, 1);
  const BinnedFeatures features(sample.Columns(), once, 32);
  const CostTree tree = GrowOn(features, targets, once, 1.0, 1);
  EXPECT_EQ(tree.leaves(), 2U);
  EXPECT_THAT(tree.Predict(features, 0), ElementsAre(1.0F, 4.5F));
  EXPECT_THAT(tree.Predict(features, 3), ElementsAre(7.0F, 0.0F));
}

TEST(CostTreeTest, AWeightCountsLikeARepeatedRow) {
  const TreeSample weighted(Column({1, 2, 3}));
  const TreeSample repeated(Column({1, 1, 1, 2, 3, 3}));
  const TreeTargets three{.outputs = 1, .deciding = 1, .values = {1, 5, 2}};
  const TreeTargets six{.outputs = 1, .deciding = 1, .values = {1, 1, 1, 5, 2, 2}};
  const std::vector<std::uint32_t> weight = {3, 1, 2};
  const std::vector<std::uint32_t> once(6, 1);
  const BinnedFeatures few(weighted.Columns(), weight, 32);
  const BinnedFeatures many(repeated.Columns(), once, 32);
  const CostTree one = GrowOn(few, three, weight, 2.0);
  const CostTree other = GrowOn(many, six, once, 2.0);
  EXPECT_EQ(one.leaves(), 2U);
  EXPECT_EQ(one.Predict(few, 0)[0], other.Predict(many, 0)[0]);
  EXPECT_EQ(one.Predict(few, 2)[0], other.Predict(many, 5)[0]);
}

TEST(CostTreeTest, LeavesHoldAtLeastWhatTheyMust) {
  Rng rng = RngStream(3).Generator();
  FeatureMatrix values(200, 3);
  TreeTargets targets{.outputs = 1, .deciding = 1};
  for (Eigen::Index i = 0; i < 200; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) values(i, j) = static_cast<float>(rng.Normal());
    targets.values.push_back(static_cast<float>(rng.Normal()));
  }
  const TreeSample sample(values);
  const std::vector<std::uint32_t> once(200, 1);
  const BinnedFeatures features(sample.Columns(), once, 32);
  EXPECT_LE(GrowOn(features, targets, once, 20.0).leaves(), 10U);
  EXPECT_GT(GrowOn(features, targets, once, 20.0).leaves(), 4U);
  EXPECT_EQ(GrowOn(features, targets, once, 101.0).leaves(), 1U);
}

/// The least squared error that one split of any feature leaves, by trying them all in double.
double LeastError(const FeatureMatrix& x, const TreeTargets& targets) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    for (Eigen::Index at = 0; at < x.rows(); ++at) {
      double error = 0.0;
      for (const bool left : {true, false}) {
        for (std::size_t output = 0; output < targets.deciding; ++output) {
          double sum = 0.0;
          double squares = 0.0;
          double count = 0.0;
          for (Eigen::Index i = 0; i < x.rows(); ++i) {
            if ((x(i, j) <= x(at, j)) != left) continue;
            const double y = targets.row(static_cast<std::size_t>(i))[output];
            sum += y;
            squares += y * y;
            count += 1.0;
          }
          if (count > 0.0) error += squares - sum * sum / count;
        }
      }
      least = std::min(least, error);
    }
  }
  return least;
}

TEST(CostTreeTest, AStumpLeavesTheLeastErrorThatAnySplitCould) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng = RngStream(seed).Generator();
    FeatureMatrix x(25, 4);
    TreeTargets targets{.outputs = 11, .deciding = 11};
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      for (Eigen::Index j = 0; j < x.cols(); ++j) x(i, j) = static_cast<float>(rng.Below(9));
      for (std::size_t k = 0; k < 11; ++k) {
        targets.values.push_back(static_cast<float>(rng.Normal() + x(i, 2)));
      }
    }
    const TreeSample sample(x);
    const std::vector<std::uint32_t> once(25, 1);
    const BinnedFeatures features(sample.Columns(), once, 32);
    const CostTree tree = GrowOn(features, targets, once, 1.0, 1);
    double error = 0.0;
    for (std::size_t i = 0; i < 25; ++i) {
      for (std::size_t k = 0; k < 11; ++k) {
        const double miss = targets.row(i)[k] - tree.Predict(features, i)[k];
        error += miss * miss;
      }
    }
    EXPECT_NEAR(error, LeastError(x, targets), 1e-3) << seed;
  }
}

}  // namespace
}  // namespace gonogo::audit::internal
