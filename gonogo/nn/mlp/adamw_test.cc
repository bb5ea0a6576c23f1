// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/adamw.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::nn {
namespace {

TEST(AdamWTest, FirstStepHasTheSizeOfTheLearningRateWhateverTheGradient) {
  // m̂ = g and v̂ = g², so the step is lr * sign(g) up to epsilon.
  for (const double g : {1e-3, -0.5, 40.0}) {
    AdamW<double> adam({.learning_rate = 0.01}, 1);
    std::vector<double> p = {1.0};
    adam.Step(p, std::vector<double>{g});
    EXPECT_NEAR(p[0], 1.0 - 0.01 * g / (std::abs(g) + 1e-8), 1e-15);
  }
}

TEST(AdamWTest, FollowsThePublishedRecurrence) {
  const AdamWConfig c{.learning_rate = 0.05, .weight_decay = 0.1};
  AdamW<double> adam(c, 1);
  std::vector<double> p = {0.7};
  double x = 0.7;
  double m = 0.0;
  double v = 0.0;
  for (int t = 1; t <= 20; ++t) {
    const double g = std::sin(t) + x;
    adam.Step(p, std::vector<double>{g});
    x -= c.learning_rate * c.weight_decay * x;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    const double m_hat = m / (1.0 - std::pow(0.9, t));
    const double v_hat = v / (1.0 - std::pow(0.999, t));
    x -= c.learning_rate * m_hat / (std::sqrt(v_hat) + 1e-8);
    ASSERT_NEAR(p[0], x, 1e-14) << "step " << t;
  }
}

TEST(AdamWTest, DecaysWeightsEvenWithoutAGradient) {
  AdamW<float> adam({.learning_rate = 0.1, .weight_decay = 0.5}, 3);
  std::vector<float> p = {1.0F, -2.0F, 0.0F};
  adam.Step(p, std::vector<float>(3));
  EXPECT_EQ(p, (std::vector<float>{0.95F, -1.9F, 0.0F}));
}

TEST(AdamWTest, GoesOnFromASavedStateAsIfNothingHadHappened) {
  AdamW<float> whole({}, 2);
  std::vector<float> p = {1.0F, -2.0F};
  whole.Step(p, std::vector<float>{0.3F, -0.1F});
  AdamW<float> resumed({}, 2);
  resumed.Restore(whole.state());
  std::vector<float> q = p;
  whole.Step(p, std::vector<float>{0.2F, 0.4F});
  resumed.Step(q, std::vector<float>{0.2F, 0.4F});
  EXPECT_EQ(p, q);
}

TEST(AdamWTest, MinimisesAQuadratic) {
  AdamW<float> adam({.learning_rate = 0.05}, 11);
  std::vector<float> p(11, 3.0F);
  std::vector<float> g(11);
  for (int step = 0; step < 2000; ++step) {
    for (int i = 0; i < 11; ++i) g[i] = (p[i] - static_cast<float>(i)) * (1.0F + i);
    adam.Step(p, g);
  }
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(p[i], i, 1e-3);
}

TEST(ClipGradientNormTest, ShortensLongGradientsAndLeavesShortOnesAlone) {
  std::vector<double> g(11, 2.0);
  const double norm = 2.0 * std::sqrt(11.0);
  EXPECT_NEAR(ClipGradientNorm<double>(g, 1.0), norm, 1e-14);
  EXPECT_NEAR(Norm<double>(g), 1.0, 1e-6);
  const std::vector<double> before = g;
  EXPECT_LT(ClipGradientNorm<double>(g, 5.0), 5.0);
  EXPECT_EQ(g, before);
}

}  // namespace
}  // namespace gonogo::nn
