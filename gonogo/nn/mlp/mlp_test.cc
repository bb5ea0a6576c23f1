// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/mlp.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::nn {
namespace {

TEST(ActivationTest, FloatExpAgreesWithTheLibraryToTwoPartsInTenMillion) {
  for (double x = -87.0; x < 88.0; x += 0.0137) {
    const double expected = std::exp(static_cast<double>(static_cast<float>(x)));
    EXPECT_NEAR(Exp(static_cast<float>(x)) / expected, 1.0, 2e-7) << x;
  }
}

TEST(ActivationTest, FloatExpSaturatesInsteadOfOverflowing) {
  EXPECT_GT(Exp(-1e9F), 0.0F);
  EXPECT_LT(Exp(1e9F), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Exp(0.0F), 1.0F);
}

TEST(ActivationTest, FloatTanhAndSigmoidAgreeWithTheLibrary) {
  for (double x = -40.0; x < 40.0; x += 0.0137) {
    const auto xf = static_cast<float>(x);
    EXPECT_NEAR(Tanh(xf), std::tanh(static_cast<double>(xf)), 2e-7) << x;
    EXPECT_NEAR(Sigmoid(xf), 1.0 / (1.0 + std::exp(-static_cast<double>(xf))), 2e-7) << x;
  }
}

TEST(ActivationTest, EveryKindGivesItsDefiningValues) {
  const auto apply = [](Activation kind) {
    std::vector<double> values = {-2.0, 0.0, 3.0};
    Activate<double>(kind, values);
    return values;
  };
  EXPECT_EQ(apply(Activation::kIdentity), (std::vector<double>{-2.0, 0.0, 3.0}));
  EXPECT_EQ(apply(Activation::kRelu), (std::vector<double>{0.0, 0.0, 3.0}));
  EXPECT_EQ(apply(Activation::kElu), (std::vector<double>{std::exp(-2.0) - 1.0, 0.0, 3.0}));
  EXPECT_EQ(apply(Activation::kTanh), (std::vector<double>{std::tanh(-2.0), 0.0, std::tanh(3.0)}));
}

TEST(ActivationTest, ValueDoesNotDependOnThePositionInTheArray) {
  for (const Activation kind : {Activation::kElu, Activation::kTanh}) {
    std::vector<float> values(37, -0.731F);
    Activate<float>(kind, values);
    EXPECT_EQ(values, std::vector<float>(37, values[0]));
  }
}

template <typename Scalar>
Batch<Scalar> RandomBatch(int rows, int cols, const RngStream& stream) {
  Rng rng = stream.Generator();
  Batch<Scalar> batch(rows, cols);
  for (Scalar& value : std::span<Scalar>(batch.data(), batch.size())) {
    value = static_cast<Scalar>(rng.Normal());
  }
  return batch;
}

TEST(MlpTest, ComputesAHandWorkedTwoLayerNetwork) {
  Mlp<double> mlp({.sizes = {2, 2, 1}});
  mlp.weight(0) << 1.0, -1.0,  //
      2.0, 1.0;
  mlp.bias(0) << 0.5, -4.0;
  mlp.weight(1) << 3.0,  //
      5.0;
  mlp.bias(1) << -1.0;
  Batch<double> x(2, 2);
  x << 1.0, 1.0,  //
      -1.0, 4.0;
  Mlp<double>::Scratch scratch;
  const auto y = mlp.Forward(x, scratch);
  EXPECT_EQ(y(0, 0), 3.0 * 3.5 - 1.0);              // hidden (3.5, -4 -> 0)
  EXPECT_EQ(y(1, 0), 3.0 * 7.5 + 5.0 * 1.0 - 1.0);  // hidden (7.5, 1)
}

TEST(MlpTest, ParametersAreOneVectorInTheOrderWeightBiasPerLayer) {
  Mlp<float> mlp({.sizes = {3, 4, 2}});
  ASSERT_EQ(mlp.parameters().size(), 3U * 4 + 4 + 4 * 2 + 2);
  mlp.weight(0)(1, 2) = 1.0F;
  mlp.bias(0)(3) = 2.0F;
  mlp.weight(1)(2, 1) = 3.0F;
  mlp.bias(1)(0) = 4.0F;
  EXPECT_EQ(mlp.parameters()[1 * 4 + 2], 1.0F);
  EXPECT_EQ(mlp.parameters()[mlp.bias_offset(0) + 3], 2.0F);
  EXPECT_EQ(mlp.parameters()[mlp.weight_offset(1) + 5], 3.0F);  // row 2, column 1 of 4 x 2
  EXPECT_EQ(mlp.parameters()[mlp.bias_offset(1)], 4.0F);
}

TEST(MlpTest, InitialValuesAreUniformWithinOneOverRootFanIn) {
  Mlp<double> mlp({.sizes = {100, 50, 20}});
  mlp.Initialise(RngStream(1));
  const auto moments_are_uniform = [](std::span<const double> values, double bound) {
    double squares = 0.0;
    for (const double v : values) {
      EXPECT_LE(std::abs(v), bound);
      squares += v * v;
    }
    const double n = static_cast<double>(values.size());
    // Variance of U(±b) is b²/3, of its square 4 b⁴/45; five standard errors.
    EXPECT_NEAR(squares / n / (bound * bound), 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / n));
  };
  moments_are_uniform(mlp.parameters().first(101UL * 50), 0.1);
  moments_are_uniform(mlp.parameters().last(51UL * 20), 1.0 / std::sqrt(50.0));
}

TEST(MlpTest, SameStreamInitialisesTheSameNetwork) {
  Mlp<float> a({.sizes = {5, 3, 2}});
  Mlp<float> b({.sizes = {5, 3, 2}});
  a.Initialise(RngStream(3).Child("member"));
  b.Initialise(RngStream(3).Child("member"));
  EXPECT_TRUE(std::ranges::equal(a.parameters(), b.parameters()));
}

class MlpGradientTest : public testing::TestWithParam<Activation> {};

TEST_P(MlpGradientTest, AgreesWithCentralDifferences) {
  const MlpShape shape{.sizes = {4, 6, 5, 3}, .hidden = GetParam(), .output = Activation::kTanh};
  Mlp<double> mlp(shape);
  mlp.Initialise(RngStream(11));
  Batch<double> x = RandomBatch<double>(7, 4, RngStream(12));
  const Batch<double> c = RandomBatch<double>(7, 3, RngStream(13));
  Mlp<double>::Scratch scratch;
  // L = sum c * y, so dL/dy = c.
  const auto loss = [&] { return mlp.Forward(x, scratch).cwiseProduct(c).sum(); };
  (void)loss();
  std::vector<double> gradient(mlp.parameters().size());
  std::vector<double> input_gradient(x.size());
  mlp.Backward(x, c, scratch, gradient, input_gradient);

  constexpr double kStep = 1e-6;
  const auto expect_slope = [&](double& variable, double slope) {
    const double at = variable;
    variable = at + kStep;
    const double above = loss();
    variable = at - kStep;
    const double below = loss();
    variable = at;
    EXPECT_NEAR((above - below) / (2.0 * kStep), slope, 1e-8);
  };
  for (std::size_t i = 0; i < gradient.size(); ++i) expect_slope(mlp.parameters()[i], gradient[i]);
  for (Eigen::Index i = 0; i < x.size(); ++i) expect_slope(x.data()[i], input_gradient[i]);
}

INSTANTIATE_TEST_SUITE_P(AllActivations, MlpGradientTest,
                         testing::Values(Activation::kIdentity, Activation::kRelu, Activation::kElu,
                                         Activation::kTanh));

TEST(MlpTest, DropoutGradientAgreesWithCentralDifferencesUnderTheSameMask) {
  Mlp<double> mlp({.sizes = {3, 8, 6, 2}, .hidden = Activation::kElu});
  mlp.Initialise(RngStream(41));
  const Batch<double> x = RandomBatch<double>(5, 3, RngStream(42));
  const Batch<double> c = RandomBatch<double>(5, 2, RngStream(43));
  Mlp<double>::Scratch scratch;
  const auto loss = [&] {
    Rng rng = RngStream(44).Generator();
    return mlp.ForwardWithDropout(x, 0.4, rng, scratch).cwiseProduct(c).sum();
  };
  (void)loss();
  std::vector<double> gradient(mlp.parameters().size());
  mlp.Backward(x, c, scratch, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& p = mlp.parameters()[i];
    const double at = p;
    p = at + 1e-6;
    const double above = loss();
    p = at - 1e-6;
    const double below = loss();
    p = at;
    EXPECT_NEAR((above - below) / 2e-6, gradient[i], 1e-8);
  }
}

TEST(MlpTest, DropoutKeepsTheMeanOfALinearNetwork) {
  Mlp<float> mlp({.sizes = {1, 400, 1}, .hidden = Activation::kIdentity});
  mlp.weight(0).setOnes();
  mlp.weight(1).setConstant(1.0F / 400.0F);
  const Batch<float> x = Batch<float>::Ones(500, 1);
  Mlp<float>::Scratch scratch;
  Rng rng = RngStream(51).Generator();
  const double mean = mlp.ForwardWithDropout(x, 0.25, rng, scratch).mean();
  // 200,000 units of variance p / (1 - p); five standard errors.
  EXPECT_NEAR(mean, 1.0, 5.0 * std::sqrt(0.25 / 0.75 / 200000.0));
  EXPECT_NEAR(mlp.Forward(x, scratch)(0, 0), 1.0, 1e-5);
}

TEST(MlpTest, ARowHasTheSameBitsAloneAndInABatch) {
  Mlp<float> mlp({.sizes = {48, 64, 32, 5}, .hidden = Activation::kElu});
  mlp.Initialise(RngStream(21));
  const Batch<float> x = RandomBatch<float>(33, 48, RngStream(22));
  Mlp<float>::Scratch scratch;
  const Batch<float> all = mlp.Forward(x, scratch);
  for (int i = 0; i < x.rows(); ++i) {
    const auto one = mlp.Forward(x.row(i), scratch);
    for (int j = 0; j < 5; ++j) EXPECT_EQ(one(0, j), all(i, j));
  }
}

TEST(MlpTest, ScratchIsReusedForSmallerBatches) {
  Mlp<float> mlp({.sizes = {8, 16, 2}});
  mlp.Initialise(RngStream(31));
  Mlp<float>::Scratch scratch;
  const Batch<float> large = RandomBatch<float>(64, 8, RngStream(32));
  const float* const first = mlp.Forward(large, scratch).data();
  EXPECT_EQ(mlp.Forward(large.topRows(3), scratch).data(), first);
  EXPECT_EQ(mlp.Forward(large, scratch).data(), first);
}

}  // namespace

}  // namespace gonogo::nn
