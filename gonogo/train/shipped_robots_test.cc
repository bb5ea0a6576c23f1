// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gonogo/sim/loop/env.h"
#include "gonogo/train/recipe/recipe.h"
#include "gonogo/train/walk/expert.h"

namespace gonogo::train {
namespace {

/// What the vendors' descriptions say about a robot.
struct Shipped {
  const char* name;
  double mass_kg;
  int observation;  ///< the paper's policy, and two numbers of gait phase
  double stand_m;   ///< root above flat ground in the default pose
};

void PrintTo(const Shipped& robot, std::ostream* out) { *out << robot.name; }

class ShippedRobots : public ::testing::TestWithParam<Shipped> {
 protected:
  std::filesystem::path folder_ =
      std::filesystem::path(GONOGO_SOURCE_DIR "/robots") / GetParam().name;
  robot::RobotSpec spec_ = robot::LoadRobotSpec(folder_).value();
  std::shared_ptr<const sim::World> world_ = sim::World::Create(spec_, sim::FlatTerrain()).value();
};

TEST_P(ShippedRobots, WeighWhatTheirVendorSays) {
  EXPECT_NEAR(world_->mass_kg(), GetParam().mass_kg, 0.005);
  EXPECT_EQ(spec_.observation_size(), GetParam().observation);
}

TEST_P(ShippedRobots, StandOnTheirFeetInTheDefaultPose) {
  sim::Env env(world_);
  sim::Start start;
  start.p_W = {0.0, 0.0, GetParam().stand_m};
  env.Reset(start);
  const std::vector<float> rest(spec_.joint_count(), 0.0F);
  for (int t = 0; t < 5; ++t) ASSERT_TRUE(env.Step(rest).ok());
  EXPECT_EQ(env.termination(), sim::Termination::kNone);
  EXPECT_NEAR(env.state().p_W[2], GetParam().stand_m, 0.03);
  for (const sim::Foot& foot : env.feet()) EXPECT_TRUE(foot.contact);
}

TEST_P(ShippedRobots, WalkForwardWithTheStartOfTheirRecipe) {
  const Recipe recipe = LoadRecipe(folder_ / "train.toml", spec_).value();
  const std::shared_ptr<const robot::Policy> expert =
      MakeExpert(spec_, recipe, world_->mass_kg()).value();
  sim::Env env(world_);
  sim::Start start;
  start.p_W = {0.0, 0.0, spec_.spawn_height_m};
  env.Reset(start);
  std::vector<float> action(spec_.joint_count());
  robot::PolicyMemory memory;
  for (int t = 0; t < 250; ++t) {
    expert->Act(env.Observe({.vx = 0.5}), action, memory);
    ASSERT_TRUE(env.Step(action).ok());
  }
  EXPECT_EQ(env.termination(), sim::Termination::kNone);
  EXPECT_GT(env.state().p_W[0], 1.0);  // of 2.5 m in 5 s
  EXPECT_LT(env.state().p_W[0], 3.8);
}

TEST_P(ShippedRobots, StandWithTheStartOfTheirRecipe) {
  robot::RobotSpec spec = spec_;
  for (robot::ObservationTerm& term : spec.observation) term.cadence.rest_below = 0.1;
  const Recipe recipe = LoadRecipe(folder_ / "train.toml", spec).value();
  const std::shared_ptr<const robot::Policy> expert =
      MakeExpert(spec, recipe, world_->mass_kg()).value();
  sim::Env env(sim::World::Create(spec, sim::FlatTerrain()).value());
  sim::Start start;
  start.p_W = {0.0, 0.0, GetParam().stand_m};
  env.Reset(start);
  std::vector<float> action(spec.joint_count());
  robot::PolicyMemory memory;
  for (int t = 0; t < 100; ++t) {
    expert->Act(env.Observe({}), action, memory);
    ASSERT_TRUE(env.Step(action).ok());
  }
  EXPECT_EQ(env.termination(), sim::Termination::kNone);
  EXPECT_NEAR(env.state().p_W[0], 0.0, 0.1);
  EXPECT_LT(env.step().power_w, 30.0);
  for (const sim::Foot& foot : env.feet()) EXPECT_TRUE(foot.contact);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedRobots,
                         ::testing::Values(Shipped{"go2", 15.019, 237, 0.32},
                                           Shipped{"anymal_d", 51.636, 237, 0.589},
                                           Shipped{"h1", 51.437, 258, 0.978}),
                         [](const auto& robot) { return std::string(robot.param.name); });

}  // namespace
}  // namespace gonogo::train
