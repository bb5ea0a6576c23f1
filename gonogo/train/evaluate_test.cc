// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/evaluate.h"

#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/train/gait/trot_policy.h"
#include "gonogo/train/recipe/recipe.h"

namespace gonogo::train {
namespace {

class EvaluateTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const robot::Policy> Trot(const robot::RobotSpec& spec) {
    TrotConfig trot = LoadRecipe(GONOGO_SOURCE_DIR "/robots/go2/train.toml", spec).value().trot;
    trot.weight_n = 147.3;
    return std::make_shared<TrotPolicy>(TrotPolicy::Create(spec, trot).value());
  }

  robot::RobotSpec spec_ = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  std::shared_ptr<const robot::Policy> trot_ = Trot(spec_);
};

TEST_F(EvaluateTest, TheTrotWalksOnFlatGroundWithoutFalling) {
  EvaluationOptions options;
  options.ground = EvaluationOptions::Ground::kFlat;
  options.terrain_seeds = 1;
  options.commands = 6;
  options.episode_s = 6.0;
  options.trials = 1;
  const Result<Evaluation> trot = Evaluate(spec_, trot_, options);
  ASSERT_TRUE(trot.ok()) << trot.error().message;
  EXPECT_EQ(trot.value().survived, 6);
  EXPECT_LT(trot.value().velocity_error, 0.3);  // a random command is 0.77 m/s from standing
  EXPECT_GE(trot.value().targets.at("moderate").successes, 3);
}

TEST_F(EvaluateTest, EvaluationDoesNotDependOnTheNumberOfThreads) {
  EvaluationOptions options;
  options.terrain_seeds = 1;
  options.commands = 3;
  options.episode_s = 2.0;
  options.trials = 1;
  options.jobs = 1;
  const Evaluation one = Evaluate(spec_, trot_, options).value();
  options.jobs = 3;
  const Evaluation three = Evaluate(spec_, trot_, options).value();
  EXPECT_EQ(one.velocity_error, three.velocity_error);
  EXPECT_EQ(one.targets.at("harder").successes, three.targets.at("harder").successes);
}

// The full table takes minutes (robots/go2/README.md); this guards its message.
TEST_F(EvaluateTest, TheShippedPolicyBeatsTheTrotItStartedFromOnRoughGround) {
  EvaluationOptions options;
  options.terrain_seeds = 2;
  options.commands = 6;
  options.episode_s = 8.0;
  options.trials = 1;
  const Evaluation policy = Evaluate(spec_, sim::OnnxPolicy::Load(spec_).value(), options).value();
  const Evaluation trot = Evaluate(spec_, trot_, options).value();
  EXPECT_LT(policy.velocity_error, 0.20);
  EXPECT_LT(policy.velocity_error, trot.velocity_error);
  EXPECT_EQ(policy.survived, policy.episodes);
  EXPECT_GE(policy.targets.at("harder").rate(), 0.8);
  EXPECT_GE(policy.targets.at("moderate").rate(), 0.95);
}

}  // namespace
}  // namespace gonogo::train
