// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/export.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/train/ppo/symmetry.h"

namespace gonogo::train {
namespace {

TEST(ExportTest, TheFileComputesTheMeanActionOfTheRawObservation) {
  const robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  const NetworkConfig config{.actor_hidden = {32, 16}, .critic_hidden = {8}};
  const ActorCritic networks = MakeActorCritic(config, InputScale(spec), 12, RngStream(1));
  const auto file = std::filesystem::path(::testing::TempDir()) / "export_test.onnx";
  ASSERT_TRUE(ExportPolicy(file, networks, spec, {.recipe = "abc", .samples = 7}).ok());

  const Result<nn::OnnxModel> model = nn::OnnxModel::Load(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model.value().metadata().at("samples"), "7");
  Rng rng = RngStream(2).Generator();
  Batch raw(1, spec.observation_size());
  Batch scaled(1, spec.observation_size());
  for (Eigen::Index i = 0; i < raw.cols(); ++i) {
    raw(0, i) = static_cast<float>(rng.Normal());
    scaled(0, i) = raw(0, i) * networks.input_scale[i];
  }
  std::array<float, 12> got{};
  const std::array<std::span<const float>, 1> inputs{
      std::span<const float>(raw.data(), static_cast<std::size_t>(raw.cols()))};
  const std::array<std::span<float>, 1> outputs{std::span<float>(got)};
  nn::OnnxModel::Scratch scratch;
  model.value().Run(inputs, outputs, scratch);
  nn::Mlp<float>::Scratch expected_scratch;
  const auto expected = networks.actor.Forward(scaled, expected_scratch);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(got[i], expected(0, i), 2e-5);
}

}  // namespace
}  // namespace gonogo::train
