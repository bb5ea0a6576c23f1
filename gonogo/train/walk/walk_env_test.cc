// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/walk_env.h"

#include <gtest/gtest.h>

#include "gonogo/train/walk/expert.h"
#include "gonogo/train/walk/worlds.h"

namespace gonogo::train {
namespace {

class WalkEnvTest : public ::testing::Test {
 protected:
  robot::RobotSpec spec_ = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  Recipe recipe_ = LoadRecipe(GONOGO_SOURCE_DIR "/robots/go2/train.toml", spec_).value();
  std::shared_ptr<const robot::Policy> expert_ = MakeExpert(spec_, recipe_, 15.0).value();
};

TEST_F(WalkEnvTest, RestartingWithTheSameRoundRepeatsThePath) {
  const auto worlds = MakeWorlds(spec_, {.iterations = 1, .rough_m = 0.04}, RngStream(2)).value();
  WalkEnv env(worlds[3], recipe_, recipe_.reward, expert_, RngStream(4));
  std::vector<float> action(env.action_dim());
  std::vector<std::vector<float>> seen(2, std::vector<float>(env.observation_dim()));
  for (std::vector<float>& observation : seen) {
    env.Restart(7);
    for (int t = 0; t < 30; ++t) {
      env.Expert(action);
      env.Step(action);
    }
    env.Observe(observation);
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(WalkEnvTest, ARobotThatLetsGoFallsAndStartsAgain) {
  const auto worlds = MakeWorlds(spec_, {.iterations = 1}, RngStream(2)).value();
  WalkEnv env(worlds[0], recipe_, recipe_.reward, expert_, RngStream(4));
  // Abduct all legs to one side: the base comes down within a second.
  std::vector<float> action(env.action_dim(), 0.0F);
  for (int leg = 0; leg < 4; ++leg) action[leg] = 4.0F;
  for (int leg = 8; leg < 12; ++leg) action[leg] = -5.0F;
  bool fell = false;
  for (int t = 0; t < 200 && !fell; ++t) {
    const StepOutcome outcome = env.Step(action);
    fell = outcome.terminated;
    if (fell) {
      EXPECT_LT(outcome.reward, 0.5 * recipe_.reward.fall);
    }
  }
  EXPECT_TRUE(fell);
}

TEST_F(WalkEnvTest, AStageMixesRoughGroundAndTiles) {
  const Stage stage{.iterations = 1, .rough_m = 0.06, .difficulty = 0.4, .tile_share = 0.5};
  const auto worlds = MakeWorlds(spec_, stage, RngStream(2)).value();
  int stairs = 0;
  for (const auto& world : worlds) {
    for (const sim::TerrainOrigin& origin : world->terrain().origins) {
      stairs += origin.kind == sim::TileKind::kStairs ? 1 : 0;
      EXPECT_LE(origin.difficulty, 1.0);
    }
  }
  EXPECT_EQ(worlds.size(), 8U);
  EXPECT_EQ(stairs, 4 * 2);  // four worlds of two rows
}

}  // namespace
}  // namespace gonogo::train
