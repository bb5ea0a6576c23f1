// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/evaluate.h"

#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/train/walk/expert.h"

namespace gonogo::train {
namespace {

class EvaluateTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const robot::Policy> Trot(const robot::RobotSpec& spec) {
    const Recipe recipe = LoadRecipe(GONOGO_SOURCE_DIR "/robots/go2/train.toml", spec).value();
    return MakeExpert(spec, recipe, 15.02).value();
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
  const Result<WalkEvaluation> trot = Evaluate(spec_, trot_, options);
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
  const WalkEvaluation one = Evaluate(spec_, trot_, options).value();
  options.jobs = 3;
  const WalkEvaluation three = Evaluate(spec_, trot_, options).value();
  EXPECT_EQ(one.velocity_error, three.velocity_error);
  EXPECT_EQ(one.targets.at("harder").successes, three.targets.at("harder").successes);
}

// A policy that lets go at once: it falls, and what it does not follow is counted.
class LimpPolicy final : public robot::Policy {
 public:
  [[nodiscard]] int observation_size() const override { return 237; }
  [[nodiscard]] int action_size() const override { return 12; }
  void Act(std::span<const float> /*observation*/, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    for (std::size_t j = 0; j < 12; ++j) action[j] = j < 4 ? 4.0F : j < 8 ? 0.0F : -5.0F;
  }
};

TEST_F(EvaluateTest, ARobotThatFallsIsChargedTheWholeCommandFromThenOn) {
  EvaluationOptions options;
  options.ground = EvaluationOptions::Ground::kFlat;
  options.terrain_seeds = 3;
  options.commands = 20;
  options.episode_s = 10.0;
  options.trials = 1;
  const WalkEvaluation limp = Evaluate(spec_, std::make_shared<LimpPolicy>(), options).value();
  EXPECT_EQ(limp.survived, 0);
  EXPECT_EQ(limp.stood, 0);
  EXPECT_EQ(limp.stands, 3);
  // Commands are uniform in [-1, 1]: the mean norm of the planar part is 0.765, of wz 0.5.
  EXPECT_NEAR(limp.velocity_error, 0.765, 0.1);
  EXPECT_NEAR(limp.yaw_error, 0.5, 0.1);
}

TEST_F(EvaluateTest, TheCostOfTransportIsThatOfTheEpisodes) {
  EvaluationOptions options;
  options.ground = EvaluationOptions::Ground::kFlat;
  options.terrain_seeds = 1;
  options.commands = 1;
  options.trials = 1;
  const WalkEvaluation trot = Evaluate(spec_, trot_, options).value();
  EXPECT_GT(trot.targets.at("harder").cot(), 0.5);
  EXPECT_LT(trot.targets.at("harder").cot(), 3.0);
  EXPECT_DOUBLE_EQ(trot.targets.at("harder").cot(), trot.targets.at("harder").cot_sum / 8);
  EXPECT_EQ(trot.stands, 1);
  EXPECT_EQ(trot.stood, 1);
}

TEST_F(EvaluateTest, ComparingScalesStartsBothFromTheSamePlacesOnAnyNumberOfThreads) {
  EvaluationOptions options;
  options.terrain_seeds = 1;
  options.trials = 1;
  options.jobs = 1;
  const ScaleCost one = CompareScales(spec_, trot_, options).value();
  options.jobs = 3;
  const ScaleCost three = CompareScales(spec_, trot_, options).value();
  EXPECT_EQ(one.episodes, 8);
  EXPECT_EQ(one.cot_full, three.cot_full);
  EXPECT_EQ(one.cot_scaled, three.cot_scaled);
  EXPECT_NEAR(one.ratio(), 1.0, 0.3);
  EXPECT_NE(one.ratio(), 1.0);
}

// The full table takes minutes (robots/go2/README.md); this guards its message.
TEST_F(EvaluateTest, TheShippedPolicyBeatsTheTrotItStartedFromOnRoughGround) {
  EvaluationOptions options;
  options.terrain_seeds = 2;
  options.commands = 6;
  options.episode_s = 8.0;
  options.trials = 1;
  const WalkEvaluation policy =
      Evaluate(spec_, sim::OnnxPolicy::Load(spec_).value(), options).value();
  const WalkEvaluation trot = Evaluate(spec_, trot_, options).value();
  EXPECT_LT(policy.velocity_error, 0.20);
  EXPECT_LT(policy.velocity_error, trot.velocity_error);
  EXPECT_EQ(policy.survived, policy.episodes);
  EXPECT_GE(policy.targets.at("harder").rate(), 0.8);
  EXPECT_GE(policy.targets.at("moderate").rate(), 0.95);
}

}  // namespace
}  // namespace gonogo::train
