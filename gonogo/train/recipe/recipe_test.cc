// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/recipe/recipe.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::train {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kRobot = GONOGO_SOURCE_DIR "/robots/go2";

robot::RobotSpec Go2() { return robot::LoadRobotSpec(kRobot).value(); }

// The shipped recipe with one text replaced by another.
Result<Recipe> LoadEdited(const std::string& from, const std::string& to) {
  std::string text = io::ReadFile(kRobot / "train.toml").value();
  const std::size_t at = text.find(from);
  GONOGO_CHECK(at != std::string::npos);
  text.replace(at, from.size(), to);
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "recipe_test.toml";
  std::ofstream(file) << text;
  return LoadRecipe(file, Go2());
}

TEST(RecipeTest, ReadsTheShippedRecipe) {
  const Result<Recipe> recipe = LoadRecipe(kRobot / "train.toml", Go2());
  ASSERT_TRUE(recipe.ok()) << recipe.error().message;
  EXPECT_EQ(recipe.value().trot.legs.size(), 4U);
  EXPECT_EQ(recipe.value().trot.legs[2].joints, (std::array{2, 6, 10}));
  EXPECT_DOUBLE_EQ(recipe.value().trot.stiffness_nm, Go2().actuator.kp[0]);
  EXPECT_FALSE(recipe.value().stages.empty());
}

TEST(RecipeTest, NamesAJointThatDoesNotExist) {
  const Result<Recipe> recipe = LoadEdited("\"RL_calf_joint\"]", "\"RL_shank_joint\"]");
  ASSERT_FALSE(recipe.ok());
  EXPECT_THAT(recipe.error().message, HasSubstr("RL_shank_joint"));
}

TEST(RecipeTest, RefusesAKeyItDoesNotKnow) {
  const Result<Recipe> recipe = LoadEdited("desired_kl", "desired_lk");
  ASSERT_FALSE(recipe.ok());
  EXPECT_THAT(recipe.error().message, HasSubstr("desired_lk"));
}

TEST(RecipeTest, RefusesWidthsThatNobodyCouldTrain) {
  for (const char* widths : {"[1e300]", "[nan]", "[256, 0]", "[65537]"}) {
    const Result<Recipe> recipe = LoadEdited("[256, 128, 64]", widths);
    ASSERT_FALSE(recipe.ok()) << widths;
    EXPECT_THAT(recipe.error().message,
                HasSubstr("network.actor: expected widths from 1 to 65536"));
  }
}

TEST(RecipeTest, RefusesAPeriodThatThePolicyDoesNotSee) {
  const Result<Recipe> recipe = LoadEdited("period = 0.40 ", "period = 0.50 ");
  ASSERT_FALSE(recipe.ok());
  EXPECT_THAT(recipe.error().message, HasSubstr("expected the 0.4 of the gait_phase term"));
}

TEST(RecipeTest, AStageHasTheRecipesLearningAndItsOwnChanges) {
  const Recipe recipe =
      LoadEdited("[[stage]]",
                 "[[stage]]\niterations = 3\n[stage.ppo]\nmax_std = 0.30\n[stage.reward]\n"
                 "power = -2e-3\n[[stage]]")
          .value();
  EXPECT_DOUBLE_EQ(recipe.stages[0].ppo->max_std, 0.30);
  EXPECT_DOUBLE_EQ(recipe.stages[0].ppo->desired_kl, recipe.ppo.desired_kl);
  EXPECT_DOUBLE_EQ(recipe.stages[0].reward.power, -2e-3);
  EXPECT_DOUBLE_EQ(recipe.stages[0].reward.height, recipe.reward.height);
  EXPECT_DOUBLE_EQ(recipe.stages[1].ppo->max_std, 0.18);  // as shipped
}

TEST(RecipeTest, LearnsAsBeforeUnlessToldOtherwise) {
  // The recipe of go2_gait is older than these keys, that of go2 has them.
  const std::filesystem::path older = GONOGO_SOURCE_DIR "/robots/go2_gait";
  const Recipe before =
      LoadRecipe(older / "train.toml", robot::LoadRobotSpec(older).value()).value();
  EXPECT_TRUE(before.ppo.loss.clip_values);
  EXPECT_FALSE(before.ppo.reflections_on_policy);
  EXPECT_EQ(before.ppo.average, 0.0);
  EXPECT_EQ(before.ppo.min_learning_rate, 1e-5);
  EXPECT_EQ(before.reward.velocity_error, 0.0);
  EXPECT_EQ(before.network.scan_scale, 5.0);
  EXPECT_EQ(before.network.scan_centre, 0.0);
  EXPECT_FALSE(before.lasting_commands);
  const Recipe told = LoadEdited("[ppo]\n", "[ppo]\nreflections_on_policy = true\n").value();
  EXPECT_FALSE(told.ppo.loss.clip_values);
  EXPECT_TRUE(told.ppo.reflections_on_policy);
  EXPECT_EQ(told.ppo.average, 100.0);
  EXPECT_EQ(told.ppo.min_learning_rate, 1e-6);
  EXPECT_EQ(told.network.scan_centre, -0.11);
  EXPECT_TRUE(told.lasting_commands);
}

TEST(RecipeTest, TheSwingHeightMayBeAChannelOfTheCommand) {
  const std::filesystem::path folder = GONOGO_SOURCE_DIR "/robots/go2_gait";
  const robot::RobotSpec spec = robot::LoadRobotSpec(folder).value();
  const Recipe recipe = LoadRecipe(folder / "train.toml", spec).value();
  ASSERT_TRUE(recipe.trot.swing_channel.has_value());
  EXPECT_EQ(recipe.trot.swing_channel->name, "step_height");
  EXPECT_DOUBLE_EQ(recipe.trot.period_s, 0.4);  // of the nominal 2.5 Hz: no key says it
  EXPECT_EQ(recipe.stages.back().tiles.front(), sim::TileKind::kMixed);
  const Result<Recipe> of_go2 = LoadEdited("swing_height = 0.05", "swing_channel = \"vx\"");
  ASSERT_FALSE(of_go2.ok());
  EXPECT_THAT(of_go2.error().message,
              HasSubstr("found \"vx\", expected a channel of the command without a role; go2 has "
                        "vx, vy, wz"));
}

TEST(RecipeTest, RefusesATileThatThereIsNot) {
  const Result<Recipe> recipe = LoadEdited("tiles = [\"stairs\"", "tiles = [\"stair\"");
  ASSERT_FALSE(recipe.ok());
  EXPECT_THAT(recipe.error().message, HasSubstr("found \"stair\", expected stairs, stairs-down"));
}

TEST(RecipeTest, ChangingAnyNumberChangesTheFingerprint) {
  const Recipe shipped = LoadRecipe(kRobot / "train.toml", Go2()).value();
  const Recipe edited = LoadEdited("seed = 1", "seed = 2").value();
  EXPECT_NE(shipped.fingerprint, edited.fingerprint);
}

}  // namespace
}  // namespace gonogo::train
