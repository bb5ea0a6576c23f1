// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/env.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::sim {
namespace {

robot::RobotSpec Go2() {
  Result<robot::RobotSpec> spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2");
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return spec.value();
}

std::shared_ptr<const World> MakeWorld(Terrain terrain, const robot::RobotSpec& spec = Go2()) {
  Result<std::shared_ptr<const World>> world = World::Create(spec, std::move(terrain));
  EXPECT_TRUE(world.ok()) << world.error().message;
  return world.value();
}

void Stand(Env& env, int steps) {
  const std::vector<float> action(static_cast<std::size_t>(env.spec().joint_count()), 0.0F);
  for (int i = 0; i < steps; ++i) {
    const Status stepped = env.Step(action);
    ASSERT_TRUE(stepped.ok()) << stepped.error().message;
  }
}

TEST(EnvTest, AStiffGo2StandsAtTheHeightOfItsGeometry) {
  robot::RobotSpec spec = Go2();
  spec.actuator.kp.assign(12, 400.0);
  spec.actuator.kd.assign(12, 4.0);
  Env env(MakeWorld(FlatTerrain(), spec));
  Stand(env, 250);
  // Foot centres lie 0.3015 m (front) and 0.292 m (rear) below the base in the default pose, the
  // spheres have 22 mm: between the hips the base is at 0.319 m.
  EXPECT_NEAR(env.state().p_W[2], 0.319, 0.005);
  EXPECT_NEAR(env.state().posture_height_m, env.state().p_W[2], 1e-6);
}

TEST(EnvTest, FeetOfAStandingGo2CarryItsWeight) {
  Env env(MakeWorld(FlatTerrain()));
  Stand(env, 250);
  EXPECT_EQ(env.termination(), Termination::kNone);
  EXPECT_GT(env.state().p_W[2], 0.27);  // sags on soft springs
  double force = 0.0;
  for (const Foot& foot : env.feet()) {
    EXPECT_TRUE(foot.contact);
    EXPECT_GT(foot.contact_time_s, 4.0);
    force += foot.force_n;
  }
  EXPECT_NEAR(env.world().mass_kg(), 15.019, 1e-9);
  EXPECT_NEAR(force, 15.019 * 9.81, 1.0);
}

TEST(EnvTest, AGo2StandsOnRoughGround) {
  const robot::RobotSpec spec = Go2();
  Env env(MakeWorld(RoughTerrain(1, spec.terrain, RngStream(3))));
  Stand(env, 250);
  EXPECT_EQ(env.termination(), Termination::kNone);
  EXPECT_NEAR(env.state().posture_height_m, 0.31, 0.05);
}

TEST(EnvTest, RestoringASnapshotContinuesBitForBit) {
  const robot::RobotSpec spec = Go2();
  const std::shared_ptr<const World> world = MakeWorld(RoughTerrain(1, spec.terrain, RngStream(3)));
  Env env(world);
  Stand(env, 40);
  const Snapshot snapshot = env.Save();
  Stand(env, 40);
  Env other(world);
  Stand(other, 5);
  other.Restore(snapshot);
  Stand(other, 40);
  EXPECT_EQ(env.Save().physics, other.Save().physics);
  EXPECT_EQ(env.totals().work_j, other.totals().work_j);
}

}  // namespace
}  // namespace gonogo::sim
