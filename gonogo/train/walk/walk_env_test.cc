// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/walk_env.h"

#include <gtest/gtest.h>

#include "gonogo/train/walk/expert.h"

namespace gonogo::train {
namespace {

/// Nothing is paid for, so that a test can name what is.
RewardWeights Unpaid() {
  return {.track_velocity = 0.0,
          .track_yaw = 0.0,
          .vertical_velocity = 0.0,
          .roll_pitch_rate = 0.0,
          .tilt = 0.0,
          .height = 0.0,
          .torque = 0.0,
          .acceleration = 0.0,
          .action_rate = 0.0,
          .gait = 0.0,
          .slip = 0.0};
}

class WalkEnvTest : public ::testing::Test {
 protected:
  robot::RobotSpec spec_ = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  Recipe recipe_ = LoadRecipe(GONOGO_SOURCE_DIR "/robots/go2/train.toml", spec_).value();
  std::shared_ptr<const robot::Policy> expert_ = MakeExpert(spec_, recipe_, 15.0).value();
};

TEST_F(WalkEnvTest, RestartingWithTheSameRoundRepeatsThePath) {
  const auto worlds =
      MakeWorlds(spec_, {.iterations = 1, .rough_m = 0.04}, true, RngStream(2)).value();
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

// Standing on flat ground for half a second, pushed every tenth of one or never.
TEST_F(WalkEnvTest, APushChangesTheVelocityOfTheRoot) {
  const auto worlds = MakeWorlds(spec_, {.iterations = 1}, true, RngStream(2)).value();
  recipe_.zero_commands = 1.0;
  recipe_.noise = 0.0;
  const auto top_speed = [&](double push_m_s) {
    Recipe recipe = recipe_;
    recipe.push_m_s = push_m_s;
    recipe.push_s = {0.1, 0.1};
    WalkEnv env(worlds[0], recipe, recipe.reward, expert_, RngStream(4));
    std::vector<float> action(env.action_dim(), 0.0F);
    std::vector<float> observation(env.observation_dim());
    float fastest = 0.0F;
    for (int t = 0; t < 25; ++t) {
      env.Step(action);
      env.Observe(observation);
      fastest = std::max(fastest, std::hypot(observation[0], observation[1]));
    }
    return fastest;
  };
  EXPECT_LT(top_speed(0.0), 0.3);
  EXPECT_GT(top_speed(1.0), top_speed(0.0) + 0.2);
}

TEST_F(WalkEnvTest, ARobotThatLetsGoFallsAndStartsAgain) {
  const auto worlds = MakeWorlds(spec_, {.iterations = 1}, true, RngStream(2)).value();
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

/// Rewards of the walking start's first steps on flat ground, always told to stand or never.
std::vector<double> Rewards(robot::RobotSpec spec, Recipe recipe, const RewardWeights& reward,
                            bool stand) {
  for (robot::ObservationTerm& term : spec.observation) term.cadence.rest_below = 0.1;
  recipe.zero_commands = stand ? 1.0 : 0.0;
  recipe.small_commands = 0.0;
  const auto worlds = MakeWorlds(spec, {.iterations = 1}, true, RngStream(2)).value();
  WalkEnv env(worlds[0], recipe, reward, MakeExpert(spec, recipe, worlds[0]->mass_kg()).value(),
              RngStream(4));
  std::vector<float> action(env.action_dim());
  std::vector<double> rewards;
  for (int t = 0; t < 100; ++t) {
    env.Expert(action);
    rewards.push_back(env.Step(action).reward);
  }
  return rewards;
}

TEST_F(WalkEnvTest, AWattHasItsPrice) {
  RewardWeights weights = recipe_.reward;
  weights.power = 0.0;
  const std::vector<double> free = Rewards(spec_, recipe_, weights, false);
  weights.power = -1e-3;
  const std::vector<double> cheap = Rewards(spec_, recipe_, weights, false);
  weights.power = -3e-3;
  const std::vector<double> dear = Rewards(spec_, recipe_, weights, false);
  double watts = 0.0;
  for (std::size_t t = 0; t < free.size(); ++t) {
    EXPECT_NEAR(dear[t] - free[t], 3.0 * (cheap[t] - free[t]), 1e-6);
    watts += (free[t] - cheap[t]) / (1e-3 * 0.02) / static_cast<double>(free.size());
  }
  EXPECT_GT(watts, 10.0);  // a trotting Go2 takes tens of Watts
  EXPECT_LT(watts, 300.0);
}

TEST_F(WalkEnvTest, TheErrorOfTheVelocityHasAPricePerMetreAndSecond) {
  RewardWeights weights = Unpaid();
  weights.velocity_error = -2.0;
  recipe_.zero_commands = recipe_.small_commands = 0.0;
  const auto worlds = MakeWorlds(spec_, {.iterations = 1}, true, RngStream(2)).value();
  WalkEnv env(worlds[0], recipe_, weights, expert_, RngStream(4));
  std::vector<float> action(env.action_dim());
  for (int t = 0; t < 50; ++t) {
    env.Expert(action);
    const StepOutcome outcome = env.Step(action);
    ASSERT_FALSE(outcome.terminated);
    EXPECT_NEAR(outcome.reward, -2.0 * outcome.tracking_error * 0.02, 1e-6);
  }
}

TEST_F(WalkEnvTest, SaysThatACommandEndedOnlyIfCommandsLast) {
  recipe_.command_s = {0.2, 0.2};
  recipe_.noise = 0.0;
  for (const bool lasting : {false, true}) {
    recipe_.lasting_commands = lasting;
    const auto worlds = MakeWorlds(spec_, {.iterations = 1}, true, RngStream(2)).value();
    WalkEnv env(worlds[0], recipe_, recipe_.reward, expert_, RngStream(4));
    std::vector<float> action(env.action_dim());
    int ended = 0;
    for (int t = 1; t <= 40; ++t) {
      env.Expert(action);
      const StepOutcome outcome = env.Step(action);
      ASSERT_FALSE(outcome.terminated || outcome.timed_out);
      EXPECT_EQ(outcome.task_ended, lasting && t % 10 == 0);
      ended += outcome.task_ended ? 1 : 0;
    }
    EXPECT_EQ(ended, lasting ? 4 : 0);
  }
}

TEST_F(WalkEnvTest, ToldToStandItIsPaidForFeetOnTheGroundAndForStillJoints) {
  RewardWeights weights = Unpaid();
  weights.gait = 0.1;
  // Four feet, 0.1 each and second, steps of 0.02 s.
  EXPECT_NEAR(Rewards(spec_, recipe_, weights, true).back(), 0.4 * 0.02, 1e-7);
  weights.gait = 0.0;
  weights.still = -1.0;
  const std::vector<double> still = Rewards(spec_, recipe_, weights, true);
  EXPECT_LT(still[3], -1e-3);               // coming down
  EXPECT_GT(still.back(), 0.1 * still[3]);  // has come to rest
  for (const double reward : Rewards(spec_, recipe_, weights, false)) EXPECT_EQ(reward, 0.0);
}

TEST(GaitChannelsTest, FeetThatSwingAsHighAsToldArePaidForIt) {
  const std::filesystem::path folder = GONOGO_SOURCE_DIR "/robots/go2_gait";
  robot::RobotSpec spec = robot::LoadRobotSpec(folder).value();
  Recipe recipe = LoadRecipe(folder / "train.toml", spec).value();
  recipe.noise = 0.0;
  recipe.zero_commands = 0.0;
  RewardWeights weights = Unpaid();
  weights.clearance = 1.0;
  // Mean reward per second of a trot that swings its feet by `swings` while told 0.11 m.
  const auto paid = [&](double swings) {
    const robot::CommandChannel channel = spec.channels[3];
    robot::RobotSpec told = spec;
    told.command_box.low[channel.slot] = told.command_box.high[channel.slot] = 0.11 - 0.08;
    const auto worlds = MakeWorlds(told, {.iterations = 1}, true, RngStream(2)).value();
    Recipe swinging = recipe;
    swinging.trot.swing_channel.reset();
    swinging.trot.swing_height_m = swings;
    WalkEnv env(worlds[0], recipe, weights,
                MakeExpert(told, swinging, worlds[0]->mass_kg()).value(), RngStream(4));
    std::vector<float> action(env.action_dim());
    double sum = 0.0;
    for (int t = 0; t < 100; ++t) {
      env.Expert(action);
      sum += env.Step(action).reward;
    }
    return sum / 2.0;  // of two seconds
  };
  // Four feet, each paid from its first step on.
  EXPECT_GT(paid(0.11), 2.0);
  EXPECT_LT(paid(0.11), 4.0);
  EXPECT_LT(paid(0.03), 0.1 * paid(0.11));
}

TEST_F(WalkEnvTest, OtherChannelsAreDrawnFromTheirRangeEvenWhenToldToStand) {
  const robot::CommandChannel height{"step_height", 3, 0.08};
  spec_.channels.push_back(height);
  height.Set(spec_.command_box.low, 0.05);
  height.Set(spec_.command_box.high, 0.2);
  for (robot::ObservationTerm& term : spec_.observation) {
    if (term.kind == robot::TermKind::kCommand) term.scale.push_back(1.0);
  }
  recipe_.zero_commands = 1.0;
  const std::shared_ptr<const robot::Policy> expert = MakeExpert(spec_, recipe_, 15.0).value();
  const auto worlds = MakeWorlds(spec_, {.iterations = 1}, true, RngStream(2)).value();
  WalkEnv env(worlds[0], recipe_, recipe_.reward, expert, RngStream(4));
  std::vector<float> observation(env.observation_dim());
  const auto at = static_cast<std::size_t>(spec_.TermOffset(robot::TermKind::kCommand));
  float low = 1.0F;
  float high = 0.0F;
  for (std::uint64_t round = 0; round < 40; ++round) {
    env.Restart(round);
    env.Observe(observation);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(observation[at + i], 0.0F);
    low = std::min(low, observation[at + 3]);
    high = std::max(high, observation[at + 3]);
  }
  EXPECT_GE(low, 0.05F);
  EXPECT_LT(low, 0.08F);  // one of forty is in the lowest fifth but for a chance of 1.3e-4
  EXPECT_LE(high, 0.2F);
  EXPECT_GT(high, 0.17F);
}

TEST_F(WalkEnvTest, AStageMixesRoughGroundAndTiles) {
  const Stage stage{.iterations = 1, .rough_m = 0.06, .difficulty = 0.4, .tile_share = 0.5};
  const auto worlds = MakeWorlds(spec_, stage, true, RngStream(2)).value();
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
