// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/activation.h"

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

}  // namespace
}  // namespace gonogo::nn
