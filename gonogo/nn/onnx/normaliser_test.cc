// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

TEST(NormaliserTest, IsFoundWhereAGraphSubtractsAndDividesFirst) {
  // (obs - mean) / (sd + eps), as RSL-RL exports it: the sum is folded before anybody looks.
  const Result<OnnxModel> model =
      OnnxModel::Load(GONOGO_SOURCE_DIR "/gonogo/nn/testdata/onnx/mlp.onnx");
  ASSERT_TRUE(model.ok()) << model.error().message;
  ASSERT_TRUE(model.value().normaliser().has_value());
  EXPECT_EQ(model.value().normaliser()->mean.size(), 5);
  for (const float scale : model.value().normaliser()->scale) EXPECT_GE(scale, 0.01F);
}

TEST(NormaliserTest, SaysWhatWasExported) {
  const std::vector<float> weight{1.0F, 2.0F};
  const std::vector<float> bias{0.5F};
  OnnxNetwork network;
  network.members = {{DenseLayer{weight, bias}}};
  network.input = {.mean = {3.0, -4.0}, .scale = {0.5, 8.0}};
  const Result<OnnxModel> model = OnnxModel::Parse(SerialiseOnnx(network), "policy");
  ASSERT_TRUE(model.ok()) << model.error().message;
  ASSERT_TRUE(model.value().normaliser().has_value());
  EXPECT_THAT(model.value().normaliser()->mean, ElementsAre(3.0F, -4.0F));
  EXPECT_THAT(model.value().normaliser()->scale,
              ElementsAre(FloatNear(0.5F, 1e-6F), FloatNear(8.0F, 1e-5F)));
}

TEST(NormaliserTest, IsNotInventedWhereAGraphBeginsWithALayer) {
  const std::vector<float> weight{1.0F, 2.0F};
  const std::vector<float> bias{0.5F};
  OnnxNetwork network;
  network.members = {{DenseLayer{weight, bias}}};
  const Result<OnnxModel> model = OnnxModel::Parse(SerialiseOnnx(network), "policy");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_FALSE(model.value().normaliser().has_value());
}

}  // namespace
}  // namespace gonogo::nn
