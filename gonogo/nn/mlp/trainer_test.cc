// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/trainer.h"

#include <cmath>
#include <fstream>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/nn/mlp/ensemble.h"

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

using Json = nlohmann::json;

Batch<double> Matrix(const Json& rows) {
  Batch<double> matrix(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) matrix(i, j) = rows[i][j];
  }
  return matrix;
}

/// A training run of two members in float64, recorded step by step by an independent
/// implementation (testdata/README.md).
class GoldenLearnerTest : public testing::Test {
 protected:
  GoldenLearnerTest() {
    std::ifstream(GONOGO_SOURCE_DIR "/gonogo/nn/testdata/learner.json") >> golden_;
    const Batch<double> x = Matrix(golden_["X"]);
    const Batch<double> y = Matrix(golden_["Y"]);
    input_ = Standardiser::Fit<double>(x);
    target_ = Standardiser::Fit<double>(y);
    target_.mean[2] = 0.0;  // a probability is not standardised
    target_.scale[2] = 1.0;
    samples_ = {input_.Apply<double>(x), target_.Apply<double>(y)};
  }

  static Mlp<double> Load(const Json& arrays) {
    const int inputs = static_cast<int>(arrays[0].size());
    const int hidden = static_cast<int>(arrays[0][0].size());
    Mlp<double> mlp({.sizes = {inputs, hidden, hidden, 3}});
    for (std::size_t layer = 0; layer < 3; ++layer) {
      mlp.weight(static_cast<int>(layer)) = Matrix(arrays[2 * layer]);
      mlp.bias(static_cast<int>(layer)) = Matrix(Json::array({arrays[2 * layer + 1]}));
    }
    return mlp;
  }

  Json golden_;
  Standardiser input_;
  Standardiser target_;
  Samples<double> samples_;
};

TEST_F(GoldenLearnerTest, StandardisesAlike) {
  for (int j = 0; j < 5; ++j) {
    EXPECT_NEAR(input_.mean[j], golden_["x_mean"][j], 1e-15);
    EXPECT_NEAR(input_.scale[j], golden_["x_sd"][j], 1e-15);
  }
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(target_.mean[j], golden_["y_mean"][j], 1e-15);
    EXPECT_NEAR(target_.scale[j], golden_["y_sd"][j], 1e-15);
  }
}

TEST_F(GoldenLearnerTest, EveryLossWeightAndPredictionAgreesTo1em12) {
  for (const Json& member : golden_["members"]) {
    Mlp<double> mlp = Load(member["init"]);
    Trainer<double> trainer(
        {.losses = {Loss::kSquaredError, Loss::kSquaredError, Loss::kBinaryCrossEntropy}},
        RngStream(0), mlp);
    std::size_t step = 0;
    for (const Json& epoch : member["orders"]) {
      const std::vector<int> order = epoch;
      const std::size_t batch = golden_["batch"];
      for (std::size_t first = 0; first < order.size(); first += batch) {
        const std::size_t size = std::min(batch, order.size() - first);
        EXPECT_NEAR(trainer.Step(samples_, std::span(order).subspan(first, size)),
                    member["losses"][step++], 1e-12);
      }
    }
    EXPECT_EQ(step, member["losses"].size());

    const Mlp<double> expected = Load(member["final"]);
    for (std::size_t i = 0; i < mlp.parameters().size(); ++i) {
      EXPECT_NEAR(mlp.parameters()[i], expected.parameters()[i], 1e-12) << i;
    }

    const Batch<double> test = input_.Apply<double>(Matrix(golden_["Xtest"]));
    Mlp<double>::Scratch scratch;
    Batch<double> predicted = mlp.Forward(test, scratch);
    target_.Invert<double>({predicted.data(), std::size_t(predicted.size())});
    const Batch<double> answer = Matrix(member["pred"]);
    for (int i = 0; i < predicted.rows(); ++i) {
      EXPECT_NEAR(predicted(i, 0), answer(i, 0), 1e-12);
      EXPECT_NEAR(predicted(i, 1), answer(i, 1), 1e-12);
      EXPECT_NEAR(Sigmoid(predicted(i, 2)), answer(i, 2), 1e-12);
    }
  }
}

Samples<float> NoisyLine(int rows) {
  Rng rng = RngStream(7).Generator();
  Samples<float> samples{Batch<float>(rows, 1), Batch<float>(rows, 1)};
  for (int i = 0; i < rows; ++i) {
    samples.inputs(i, 0) = static_cast<float>(rng.Normal());
    samples.targets(i, 0) = 0.5F * samples.inputs(i, 0) + 0.1F * static_cast<float>(rng.Normal());
  }
  return samples;
}

TEST(TrainerTest, LearnsALineDownToItsNoise) {
  for (const double dropout : {0.0, 0.1}) {
    const Samples<float> samples = NoisyLine(400);
    Mlp<float> mlp({.sizes = {1, 16, 16, 1}});
    mlp.Initialise(RngStream(1));
    Trainer<float> trainer({.losses = {Loss::kSquaredError}, .dropout = dropout}, RngStream(2),
                           mlp);
    std::vector<int> rows(400);
    std::iota(rows.begin(), rows.end(), 0);
    for (std::size_t step = 0; step < 2000; ++step) {
      (void)trainer.Step(samples, std::span<const int>(rows).subspan(step % 10 * 40, 40));
    }
    const double noise = 0.01;
    EXPECT_LT(trainer.Evaluate(samples, rows), dropout > 0.0 ? 1.5 * noise : 1.2 * noise);
  }
}

TEST(TrainerTest, ARepeatedRowCountsTwice) {
  const Samples<float> samples = NoisyLine(3);
  Mlp<float> mlp({.sizes = {1, 4, 1}});
  mlp.Initialise(RngStream(1));
  Trainer<float> trainer({.losses = {Loss::kSquaredError}}, RngStream(2), mlp);
  const auto loss = [&](std::vector<int> rows) { return trainer.Evaluate(samples, rows); };
  EXPECT_NEAR(loss({0, 2, 2}), (loss({0}) + 2.0 * loss({2})) / 3.0, 1e-15);
}

}  // namespace

}  // namespace gonogo::nn
