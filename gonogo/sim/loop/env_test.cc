// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/env.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::WorldOf;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kWeight = 15.019 * 9.81;

void Hold(Env& env, int steps, float action = 0.0F) {
  const std::vector<float> actions(static_cast<std::size_t>(env.spec().joint_count()), action);
  for (int i = 0; i < steps && env.termination() != Termination::kDiverged; ++i) {
    const Status stepped = env.Step(actions);
    ASSERT_TRUE(stepped.ok()) << stepped.error().message;
  }
}

TEST(EnvTest, AStiffGo2StandsAtTheHeightOfItsGeometry) {
  robot::RobotSpec spec = Go2();
  spec.actuator.kp.assign(12, 400.0);
  spec.actuator.kd.assign(12, 4.0);
  Env env(WorldOf(FlatTerrain(), spec));
  Hold(env, 250);
  // Foot centres lie 0.3015 m (front) and 0.292 m (rear) below the base in the default pose, the
  // spheres have 22 mm: between the hips the base is at 0.319 m.
  EXPECT_NEAR(env.state().p_W[2], 0.319, 0.005);
  EXPECT_NEAR(env.state().posture_height_m, env.state().p_W[2], 1e-6);
}

TEST(EnvTest, FeetOfAStandingGo2CarryItsWeight) {
  Env env(WorldOf(FlatTerrain()));
  Hold(env, 250);
  EXPECT_EQ(env.termination(), Termination::kNone);
  EXPECT_GT(env.state().p_W[2], 0.27);  // sags on soft springs
  double force = 0.0;
  for (const Foot& foot : env.feet()) {
    EXPECT_TRUE(foot.contact);
    EXPECT_GT(foot.contact_time_s, 4.0);
    EXPECT_EQ(foot.air_time_s, 0.0);
    force += foot.force_n;
  }
  EXPECT_NEAR(env.world().mass_kg(), 15.019, 1e-9);
  EXPECT_NEAR(force, kWeight, 1.0);
}

TEST(EnvTest, AFallingRobotIsInTheAirUntilItTouchesDown) {
  Env env(WorldOf(FlatTerrain()));
  Start start = DrawStart(env.world(), RngStream(2));
  start.p_W[2] = 0.319 + 0.3;  // 0.3 m of free fall: 0.247 s
  env.Reset(start);
  double touched_s = -1.0;
  for (int step = 0; step < 25 && touched_s < 0.0; ++step) {
    Hold(env, 1);
    if (env.feet()[0].touchdown) touched_s = env.state().time_s;
    if (touched_s < 0.0) {
      EXPECT_NEAR(env.feet()[0].air_time_s, env.state().time_s, 1e-9);
    }
  }
  EXPECT_NEAR(touched_s, std::sqrt(2.0 * 0.3 / 9.81), 0.03);
  EXPECT_NEAR(env.feet()[0].last_air_time_s, touched_s, 0.021);
}

TEST(EnvTest, WorkEffortAndPowerAreSumsOverThePhysicsStepsOfTheLog) {
  Env env(WorldOf(TileKind::kRough, 0.0, 3));
  double total = 0.0;
  double control_total = 0.0;
  for (int step = 0; step < 30; ++step) {
    Hold(env, 1, 0.4F);
    double work = 0.0;
    double effort = 0.0;
    ASSERT_EQ(env.step().torque.size(), 48U);
    for (std::size_t i = 0; i < 48; ++i) {
      work += std::abs(env.step().torque[i] * env.step().joint_vel[i]) * 0.005;
      effort += std::abs(0.4F * env.step().joint_vel[i]) / 48.0;
    }
    EXPECT_NEAR(env.step().work_j, work, 1e-12);
    EXPECT_NEAR(env.step().power_w, work / 0.02, 1e-9);
    EXPECT_NEAR(env.step().effort, effort, 1e-9);
    double last_work = 0.0;
    double last_effort = 0.0;
    for (std::size_t i = 36; i < 48; ++i) {  // the fourth of four physics steps of twelve joints
      last_work += std::abs(env.step().torque[i] * env.step().joint_vel[i]) * 0.02;
      last_effort += std::abs(0.4F * env.step().joint_vel[i]) / 12.0;
    }
    EXPECT_NEAR(env.step().control_work_j, last_work, 1e-12);
    EXPECT_NEAR(env.step().control_effort, last_effort, 1e-9);
    control_total += last_work;
    total += work;
  }
  EXPECT_NEAR(env.totals().work_j, total, 1e-9);
  EXPECT_NEAR(env.totals().control_work_j, control_total, 1e-9);
  EXPECT_NE(control_total, total);
  EXPECT_GT(total, 0.0);
}

TEST(EnvTest, TorquesStayWithinTheMotorsLine) {
  Env env(WorldOf(FlatTerrain()));
  for (int step = 0; step < 40; ++step) {
    Hold(env, 1, step % 2 == 0 ? 30.0F : -30.0F);
    for (const double torque : env.step().torque) EXPECT_LE(std::abs(torque), 23.5 + 1e-12);
  }
}

TEST(EnvTest, TheObservationOfAStandingRobotIsWhatTheDescriptionSays) {
  Env env(WorldOf(FlatTerrain()));
  Start start = DrawStart(env.world(), RngStream(6));
  start.w_B = {0.0, 0.0, 0.7};
  env.Reset(start);
  const std::span<const float> observation = env.Observe({0.1, 0.2, 0.3});
  // The centre of mass is 21 mm ahead of the root's origin, which only turns.
  EXPECT_NEAR(observation[0], 0.0, 1e-6);
  EXPECT_NEAR(observation[1], 0.7 * 0.021189, 1e-6);
  EXPECT_FLOAT_EQ(observation[5], 0.7F);
  EXPECT_FLOAT_EQ(observation[8], -1.0F);
  EXPECT_FLOAT_EQ(observation[9], 0.1F);
  EXPECT_FLOAT_EQ(observation[11], 0.3F);
  for (std::size_t i = 12; i < 48; ++i) EXPECT_EQ(observation[i], 0.0F);
  for (std::size_t i = 48; i < 235; ++i) EXPECT_NEAR(observation[i], 0.4 - 0.5, 1e-6);
}

TEST(EnvTest, ProjectedGravityAndYawFollowTheBody) {
  Env env(WorldOf(FlatTerrain()));
  Start start;
  start.p_W = {0, 0, 1.0};
  start.yaw = 2.0;
  start.w_B = {1.0, 0.0, 0.0};  // rolling to the right-hand side: gravity moves to -y … +y
  env.Reset(start);
  Hold(env, 5);
  EXPECT_NEAR(env.state().yaw, 2.0, 0.02);
  EXPECT_NEAR(env.state().gravity_B[1], -std::sin(0.1), 0.02);
  EXPECT_NEAR(env.state().gravity_B[2], -std::cos(0.1), 0.02);
}

TEST(EnvTest, AScannerOnAnotherBodyLooksFromThere) {
  robot::RobotSpec spec = Go2();
  spec.scan.body = "FL_hip";  // 0.1934 m ahead of the root and 0.0465 m to its left, same height
  Env env(WorldOf(TileKind::kSlope, 1.0, 1));
  Env moved(WorldOf(env.world().terrain(), spec));
  Start start;
  start.p_W = {2.0, 0.0, 1.0};
  moved.Reset(start);
  start.p_W = {2.0 + 0.1934, 0.0465, 1.0};
  env.Reset(start);
  for (std::size_t i = 0; i < env.state().scan.size(); ++i) {
    EXPECT_NEAR(moved.state().scan[i], env.state().scan[i], 1e-5);
  }
}

TEST(EnvTest, APushAddsToTheVelocityInTheWorld) {
  Env env(WorldOf(FlatTerrain()));
  Start start = DrawStart(env.world(), RngStream(1));
  start.yaw = std::numbers::pi / 2;
  env.Reset(start);
  env.Push(0.5, 0.0);
  EXPECT_NEAR(env.state().v_B[0], 0.0, 1e-9);
  EXPECT_NEAR(env.state().v_B[1], -0.5, 1e-9);  // +x is to the right of a robot looking along +y
}

TEST(EnvTest, TouchingTheGroundWithTheTrunkEndsTheEpisode) {
  robot::RobotSpec spec = Go2();
  spec.default_pose = {0, 0, 0, 0, 3.1, 3.1, 3.1, 3.1, -1, -1, -1, -1};  // all legs up
  Env env(WorldOf(FlatTerrain(), spec));
  Start start = DrawStart(env.world(), RngStream(1));
  start.p_W[2] = 0.2;
  env.Reset(start);
  Hold(env, 1);
  EXPECT_EQ(env.termination(), Termination::kNone);
  for (int step = 0; step < 50 && env.termination() == Termination::kNone; ++step) Hold(env, 1);
  EXPECT_EQ(env.termination(), Termination::kForbiddenContact);
  EXPECT_GT(env.step().forbidden_force_n, 1.0);
}

TEST(EnvTest, ARobotThatBlowsUpIsARecordedFailure) {
  robot::RobotSpec spec = Go2();
  spec.actuator = {.kind = {},
                   .kp = std::vector<double>(12, 1e7),
                   .kd = std::vector<double>(12, -50.0),
                   .effort_limit = std::vector<double>(12, 1e12)};
  Env env(WorldOf(FlatTerrain(), spec));
  Hold(env, 200, 1.0F);
  EXPECT_EQ(env.termination(), Termination::kDiverged);
  EXPECT_THAT(env.termination_detail(), HasSubstr("at t = "));
  for (const double q : env.state().q) EXPECT_TRUE(std::isfinite(q));
  env.Reset(DrawStart(env.world(), RngStream(1)));  // and the next episode is a fresh one
  EXPECT_EQ(env.termination(), Termination::kNone);
}

TEST(EnvTest, ASnapshotTakenBeforeABlowUpContinuesAfterItAsIfNothingHadHappened) {
  Env env(WorldOf(TileKind::kRough, 0.0, 3));
  Hold(env, 10, 0.3F);
  const EnvState before = env.Save();
  Hold(env, 10, 0.3F);
  const std::vector<double> expected = env.Save().physics;
  env.Push(1e12, 0.0);
  Hold(env, 3, 0.3F);
  ASSERT_EQ(env.termination(), Termination::kDiverged);
  env.Restore(before);
  Hold(env, 10, 0.3F);
  EXPECT_EQ(env.termination(), Termination::kNone);
  EXPECT_EQ(env.Save().physics, expected);
}

TEST(EnvTest, AnActionThatIsNotFiniteNamesTheJointAndTheTime) {
  Env env(WorldOf(FlatTerrain()));
  Hold(env, 3);
  std::vector<float> action(12, 0.0F);
  action[4] = std::numeric_limits<float>::quiet_NaN();
  const Status stepped = env.Step(action);
  ASSERT_FALSE(stepped.ok());
  EXPECT_THAT(stepped.error().message, AllOf(HasSubstr("policy"), HasSubstr("FL_thigh_joint"),
                                             HasSubstr("nan"), HasSubstr("control step 3")));
}

TEST(EnvTest, MovesToAnotherWorldOfTheSameRobot) {
  const std::shared_ptr<const World> flat = WorldOf(FlatTerrain());
  const std::shared_ptr<const World> rough = WorldOf(TileKind::kRough, 0.0, 3);
  const Start start = DrawStart(*rough, RngStream(1));
  Env moved(flat);
  Hold(moved, 10);
  moved.Reset(rough, start);
  Env fresh(rough);
  fresh.Reset(start);
  Hold(moved, 20);
  Hold(fresh, 20);
  EXPECT_EQ(moved.Save().physics, fresh.Save().physics);
}

TEST(EnvTest, SeesTheEndOfTheGroundComing) {
  Env env(WorldOf(TileKind::kRough, 0.0, 3));  // 8 m and a 2 m border: the end is 6 m away
  Start start = DrawStart(env.world(), RngStream(1));
  Hold(env, 1);
  EXPECT_FALSE(env.step().left_terrain);
  start.p_W[0] = 5.2;
  env.Reset(start);
  Hold(env, 1);
  EXPECT_TRUE(env.step().left_terrain);
}

}  // namespace
}  // namespace gonogo::sim
