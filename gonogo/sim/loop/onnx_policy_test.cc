// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/onnx_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kModels[] = GONOGO_SOURCE_DIR "/gonogo/nn/testdata/onnx/";

/// A robot whose observation and action have the sizes of a small test network.
robot::RobotSpec SpecFor(const std::string& file) {
  robot::RobotSpec spec;
  spec.file = "robot.toml";
  spec.policy = kModels + file;
  const nn::OnnxModel model = nn::OnnxModel::Load(spec.policy).value();
  spec.joints.resize(model.outputs()[0].size);
  robot::ObservationTerm term;
  term.scale.assign(model.inputs()[0].size, 1.0);
  spec.observation = {term};
  return spec;
}

TEST(OnnxPolicyTest, CarriesRecurrentStateFromStepToStepInTheMemoryAlone) {
  const robot::RobotSpec spec = SpecFor("lstm.onnx");
  const std::shared_ptr<const robot::Policy> policy = OnnxPolicy::Load(spec).value();
  const auto inputs = static_cast<std::size_t>(policy->observation_size());
  const auto outputs = static_cast<std::size_t>(policy->action_size());
  const std::vector<float> observation(inputs, 0.3F);
  std::vector<float> first(outputs);
  std::vector<float> second(outputs);
  robot::PolicyMemory memory = policy->StartMemory();
  ASSERT_FALSE(memory.hidden.empty());
  policy->Act(observation, first, memory);
  const std::vector<float> hidden = memory.hidden;
  policy->Act(observation, second, memory);
  EXPECT_NE(first, second);

  robot::PolicyMemory other = policy->StartMemory();
  other.hidden = hidden;
  std::vector<float> resumed(outputs);
  policy->Act(observation, resumed, other);
  EXPECT_EQ(resumed, second);
  EXPECT_EQ(other.hidden, memory.hidden);
}

TEST(OnnxPolicyTest, WithoutStateTheActionIsTheOutputThatFitsAndOthersAreForgotten) {
  robot::RobotSpec spec =
      SpecFor("convolution.onnx");  // a latent of six values, then three actions
  spec.joints.resize(3);
  const Result<std::shared_ptr<const robot::Policy>> policy = OnnxPolicy::Load(spec);
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  ASSERT_EQ(policy.value()->action_size(), 3);
  const std::vector<float> observation(30, 0.1F);
  std::vector<float> action(3);
  robot::PolicyMemory memory = policy.value()->StartMemory();
  policy.value()->Act(observation, action, memory);
  const nn::OnnxModel model = nn::OnnxModel::Load(spec.policy).value();
  std::vector<float> latent(6);
  std::vector<float> expected(3);
  const std::vector<std::span<const float>> in{observation};
  const std::vector<std::span<float>> out{latent, expected};
  nn::OnnxModel::Scratch scratch;
  model.Run(in, out, scratch);
  EXPECT_EQ(action, expected);
  EXPECT_TRUE(memory.hidden.empty());
}

TEST(OnnxPolicyTest, NamesAMissingFile) {
  robot::RobotSpec spec = internal::Go2();
  spec.policy = "robots/go2/no_such_policy.onnx";
  const auto policy = OnnxPolicy::Load(spec);
  ASSERT_FALSE(policy.ok());
  EXPECT_THAT(policy.error().message, HasSubstr("no_such_policy.onnx"));
  spec.policy.clear();
  EXPECT_THAT(OnnxPolicy::Load(spec).error().message, HasSubstr("robot.policy is missing"));
}

TEST(OnnxPolicyTest, NamesBothSizesWhenThePolicyDoesNotFitTheRobot) {
  robot::RobotSpec spec = SpecFor("mlp.onnx");
  spec.joints.emplace_back("one too many");
  EXPECT_THAT(OnnxPolicy::Load(spec).error().message,
              AllOf(HasSubstr("mlp.onnx"), HasSubstr("joints.order of robot.toml")));
  spec = SpecFor("mlp.onnx");
  spec.observation.push_back(spec.observation.front());
  EXPECT_THAT(OnnxPolicy::Load(spec).error().message,
              AllOf(HasSubstr("as its first input"), HasSubstr("the terms of robot.toml")));
}

}  // namespace
}  // namespace gonogo::sim
