// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/trainer.h"

#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/nn/mlp/standardiser.h"

namespace gonogo::nn {
namespace {

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
