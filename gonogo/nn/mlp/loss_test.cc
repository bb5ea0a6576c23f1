// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/loss.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::nn {
namespace {

double LossOf(Loss loss, double output, double target) {
  const Batch<double> y{{output}};
  const Batch<double> t{{target}};
  return EvaluateLoss<double>(std::vector{loss}, y, t, {});
}

TEST(LossTest, HasItsDefiningValues) {
  EXPECT_DOUBLE_EQ(LossOf(Loss::kSquaredError, 3.0, 1.0), 4.0);
  EXPECT_DOUBLE_EQ(LossOf(Loss::kSmoothL1, 0.5, 0.0), 0.125);
  EXPECT_DOUBLE_EQ(LossOf(Loss::kSmoothL1, -3.0, 1.0), 3.5);
  EXPECT_DOUBLE_EQ(LossOf(Loss::kBinaryCrossEntropy, 0.0, 1.0), std::log(2.0));
  const double p = 1.0 / (1.0 + std::exp(-1.5));
  EXPECT_NEAR(LossOf(Loss::kBinaryCrossEntropy, 1.5, 0.3),
              -0.3 * std::log(p) - 0.7 * std::log(1.0 - p), 1e-15);
}

TEST(LossTest, CrossEntropyOfAnExtremeLogitIsFinite) {
  EXPECT_DOUBLE_EQ(LossOf(Loss::kBinaryCrossEntropy, 1000.0, 0.0), 1000.0);
  EXPECT_DOUBLE_EQ(LossOf(Loss::kBinaryCrossEntropy, -1000.0, 0.0), 0.0);
}

TEST(LossTest, AddsOutputsAndAveragesRows) {
  const std::vector<Loss> losses = {Loss::kSquaredError, Loss::kBinaryCrossEntropy};
  const Batch<double> y{{2.0, 0.0}, {0.0, 0.0}};
  const Batch<double> t{{0.0, 1.0}, {0.0, 0.0}};
  EXPECT_DOUBLE_EQ(EvaluateLoss<double>(losses, y, t, {}), 4.0 / 2.0 + std::log(2.0));
}

TEST(LossTest, GradientAgreesWithCentralDifferences) {
  const std::vector<Loss> losses = {Loss::kSquaredError, Loss::kSmoothL1, Loss::kSmoothL1,
                                    Loss::kBinaryCrossEntropy};
  Batch<double> y{{0.3, 0.4, 2.5, -1.2}, {-1.0, -3.0, 0.1, 2.0}};
  const Batch<double> t{{0.1, 0.0, 1.0, 1.0}, {0.5, 0.2, -0.3, 0.25}};
  std::vector<double> gradient(8);
  (void)EvaluateLoss<double>(losses, y, t, gradient);
  for (int i = 0; i < 8; ++i) {
    const double at = y.data()[i];
    y.data()[i] = at + 1e-6;
    const double above = EvaluateLoss<double>(losses, y, t, {});
    y.data()[i] = at - 1e-6;
    const double below = EvaluateLoss<double>(losses, y, t, {});
    y.data()[i] = at;
    EXPECT_NEAR((above - below) / 2e-6, gradient[i], 1e-9);
  }
}

}  // namespace
}  // namespace gonogo::nn
