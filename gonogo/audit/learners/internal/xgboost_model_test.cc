// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/xgboost_model.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit::internal {
namespace {

using testing::HasSubstr;

/// Two features; the first one alone decides.
struct Sample {
  std::vector<float> features;
  std::vector<float> weights;
  std::vector<float> targets;
};

Sample StepFunction(std::size_t rows) {
  Rng rng = RngStream(1).Generator();
  Sample sample;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto x = static_cast<float>(rng.Uniform(-1.0, 1.0));
    sample.features.insert(sample.features.end(), {x, static_cast<float>(rng.Normal())});
    sample.weights.push_back(1.0F);
    sample.targets.push_back(x < 0.0F ? 0.2F : 0.9F);
  }
  return sample;
}

std::vector<float> FitAndPredict(const Sample& sample, BoostingTarget target,
                                 const BoostingOptions& options,
                                 const std::vector<float>& queries) {
  BoostingRows rows = BoostingRows::Create(sample.features, sample.weights).value();
  const BoostedTrees trees = BoostedTrees::Train(rows, sample.targets, target, options).value();
  std::vector<float> out(queries.size() / 2);
  EXPECT_TRUE(trees.Predict(queries, out).ok());
  return out;
}

TEST(BoostedTreesTest, LearnsAStepByBothLosses) {
  const Sample sample = StepFunction(400);
  for (const BoostingTarget target : {BoostingTarget::kNumber, BoostingTarget::kProbability}) {
    const std::vector<float> y = FitAndPredict(sample, target, {}, {-0.5F, 0.0F, 0.5F, 0.0F});
    EXPECT_NEAR(y[0], 0.2F, 0.03F);
    EXPECT_NEAR(y[1], 0.9F, 0.03F);
  }
}

TEST(BoostedTreesTest, OneStumpIsTheHandWorkedOne) {
  // Two rows on either side; base score 2. A leaf is the sum of residuals over (n + lambda), times
  // the learning rate: (-2 - 2) / (2 + 1) x 0.5 and (2 + 2) / (2 + 1) x 0.5.
  const Sample sample{
      .features = {0, 0, 0, 0, 1, 0, 1, 0}, .weights = {1, 1, 1, 1}, .targets = {0, 0, 4, 4}};
  const BoostingOptions stump{
      .rounds = 1, .depth = 1, .learning_rate = 0.5, .l2 = 1.0, .min_leaf = 1.0};
  const std::vector<float> y = FitAndPredict(sample, BoostingTarget::kNumber, stump, {0, 0, 1, 0});
  EXPECT_FLOAT_EQ(y[0], 2.0F - 2.0F / 3.0F);
  EXPECT_FLOAT_EQ(y[1], 2.0F + 2.0F / 3.0F);
}

TEST(BoostedTreesTest, AWeightCountsLikeARepeatedRow) {
  const Sample weighted{.features = {0, 0, 1, 0, 2, 0}, .weights = {3, 1, 2}, .targets = {1, 5, 2}};
  const Sample repeated{.features = {0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, 0},
                        .weights = {1, 1, 1, 1, 1, 1},
                        .targets = {1, 1, 1, 5, 2, 2}};
  const BoostingOptions options{.rounds = 20, .min_leaf = 1.0};
  const std::vector<float> queries = {0, 0, 1, 0, 2, 0};
  EXPECT_THAT(
      FitAndPredict(weighted, BoostingTarget::kNumber, options, queries),
      testing::Pointwise(testing::FloatNear(1e-5F),
                         FitAndPredict(repeated, BoostingTarget::kNumber, options, queries)));
}

TEST(BoostedTreesTest, GivesTheSameBitsInEveryThread) {
  const Sample sample = StepFunction(200);
  const std::vector<float> expected =
      FitAndPredict(sample, BoostingTarget::kNumber, {}, sample.features);
  std::vector<std::vector<float>> results(8);
  ParallelFor(4, results.size(), [&](std::size_t i) {
    results[i] = FitAndPredict(sample, BoostingTarget::kNumber, {}, sample.features);
  });
  for (const std::vector<float>& result : results) EXPECT_EQ(result, expected);
}

TEST(BoostedTreesTest, OneModelIsSharedByThreads) {
  const Sample sample = StepFunction(200);
  BoostingRows rows = BoostingRows::Create(sample.features, sample.weights).value();
  const BoostedTrees trees =
      BoostedTrees::Train(rows, sample.targets, BoostingTarget::kNumber, {}).value();
  std::vector<float> expected(200);
  ASSERT_TRUE(trees.Predict(sample.features, expected).ok());
  std::vector<std::vector<float>> results(16, std::vector<float>(200));
  ParallelFor(4, results.size(),
              [&](std::size_t i) { EXPECT_TRUE(trees.Predict(sample.features, results[i]).ok()); });
  for (const std::vector<float>& result : results) EXPECT_EQ(result, expected);
}

TEST(BoostedTreesTest, SaysWhatXgboostRefused) {
  Sample sample = StepFunction(10);
  sample.features[3] = std::numeric_limits<float>::infinity();
  const Result<BoostingRows> infinite = BoostingRows::Create(sample.features, sample.weights);
  ASSERT_FALSE(infinite.ok());
  EXPECT_THAT(infinite.error().message, HasSubstr("XGBoost: "));
  sample = StepFunction(10);
  sample.targets[4] = 3.0F;
  BoostingRows rows = BoostingRows::Create(sample.features, sample.weights).value();
  EXPECT_FALSE(BoostedTrees::Train(rows, sample.targets, BoostingTarget::kProbability, {}).ok());
}

}  // namespace
}  // namespace gonogo::audit::internal
