// SPDX-License-Identifier: Apache-2.0
// Actuators and joints as robot.toml describes them, on a pendulum whose answers are known.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/loop/env.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

/// A heavy block that carries a light arm of 1 kg at 0.5 m, which hangs down at zero.
robot::RobotSpec Pendulum(robot::ActuatorKind kind, double kp, double kd, double limit = 4.0,
                          const char* arm = "") {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "servo.xml";
  std::ofstream(file) << R"(<mujoco><worldbody><body name="block"><freejoint/>
      <geom name="sole" type="box" size="1 1 0.1" mass="1000"/>
      <body pos="0 0 1" )"
                      << arm << R"(><joint name="hinge" axis="0 1 0"/>
        <inertial pos="0 0 -0.5" mass="1" diaginertia="1e-4 1e-4 1e-4"/>
      </body></body></worldbody>
    <actuator><motor joint="hinge" ctrllimited="true" ctrlrange=")"
                      << -limit << ' ' << limit << "\"/></actuator></mujoco>";
  robot::RobotSpec spec;
  spec.name = "pendulum";
  spec.file = "pendulum.toml";
  spec.model = file;
  spec.root = "block";
  spec.feet = {"sole"};
  spec.spawn_height_m = 0.1;
  spec.joints = {"hinge"};
  spec.default_pose = {0.0};
  spec.action_scale = {1.0};
  spec.target_low = {-10.0};
  spec.target_high = {10.0};
  spec.actuator = {.kind = {kind}, .kp = {kp}, .kd = {kd}, .effort_limit = {INFINITY}};
  return spec;
}

Env Held(const robot::RobotSpec& spec, float target, int steps) {
  Env env(internal::WorldOf(FlatTerrain(), spec));
  Start start;
  start.p_W = {0.0, 0.0, 0.1};
  env.Reset(start);
  const std::vector<float> action{target};
  for (int i = 0; i < steps && env.termination() != Termination::kDiverged; ++i) {
    EXPECT_TRUE(env.Step(action).ok());
  }
  return env;
}

TEST(ServoTest, AnImplicitPdHoldsTheArmWhereSpringAndWeightBalance) {
  const Env env = Held(Pendulum(robot::ActuatorKind::kImplicitPd, 20.0, 4.0), 0.3F, 400);
  const double q = env.state().q[0];
  // 20 (0.3 - q) = 9.81 * 0.5 sin(q)
  EXPECT_NEAR(20.0 * (0.3 - q), 9.81 * 0.5 * std::sin(q), 0.01);
  EXPECT_NEAR(env.step().torque.back(), 20.0 * (0.3 - q), 0.01);
}

TEST(ServoTest, AnArmWithGravcompWeighsThatMuchLess) {
  const robot::RobotSpec spec =
      Pendulum(robot::ActuatorKind::kImplicitPd, 20.0, 4.0, 4.0, "gravcomp=\"0.75\"");
  const double q = Held(spec, 0.3F, 400).state().q[0];
  EXPECT_NEAR(20.0 * (0.3 - q), 0.25 * 9.81 * 0.5 * std::sin(q), 0.002);
  EXPECT_NEAR(Held(spec, 0.3F, 400).step().torque.back(), 20.0 * (0.3 - q), 0.01);
}

TEST(ServoTest, AServoOfTheModelThatLagsAndDelaysStartsAtItsPoseAndContinuesFromASnapshot) {
  robot::RobotSpec spec = Pendulum(robot::ActuatorKind::kPosition, NAN, NAN);
  std::ofstream(spec.model) << R"(<mujoco><worldbody><body name="block"><freejoint/>
      <geom name="sole" type="box" size="1 1 0.1" mass="1000"/>
      <body pos="0 0 1" gravcomp="1"><joint name="hinge" axis="0 1 0"/>
        <inertial pos="0 0 -0.5" mass="1" diaginertia="1e-4 1e-4 1e-4"/>
      </body></body></worldbody>
    <actuator><position joint="hinge" kp="50" kv="4" timeconst="0.05" delay="0.02" nsample="8"/>
    </actuator></mujoco>)";
  spec.default_pose = {0.3};
  spec.actuator.kp.clear();
  spec.actuator.kd.clear();
  const std::vector<float> still{0.0F};
  Env env = Held(spec, 0.0F, 3);
  EXPECT_NEAR(env.state().q[0], 0.3, 1e-3);  // nothing pulls it to zero first
  const std::vector<float> away{0.5F};
  ASSERT_TRUE(env.Step(away).ok());
  const EnvState snapshot = env.Save();
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(env.Step(still).ok());
  Env other = Held(spec, -0.7F, 9);
  other.Restore(snapshot);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(other.Step(still).ok());
  EXPECT_GT(env.state().q[0], 0.31);  // what was told before the snapshot arrives after it
  EXPECT_EQ(env.Save().physics, other.Save().physics);
}

TEST(ServoTest, ItBearsADampingThatAnExplicitPdDoesNot) {
  // kd dt / J = 400 x 0.005 / 0.25 = 8, and 2 is the limit of explicit damping.
  const auto speed = [](robot::ActuatorKind kind) {
    const Env env = Held(Pendulum(kind, 20.0, 400.0, 1e6), 0.1F, 50);
    return env.termination() == Termination::kDiverged ? INFINITY : std::abs(env.state().qd[0]);
  };
  EXPECT_LT(speed(robot::ActuatorKind::kImplicitPd), 0.1);
  EXPECT_GT(speed(robot::ActuatorKind::kPd), 1.0);
}

TEST(ServoTest, LimitsOfTheMotorAreLimitsOfTheServosTorque) {
  // 4 N m hold the arm at asin(4 / 4.905) = 0.953 rad, however far the target is.
  const Env env = Held(Pendulum(robot::ActuatorKind::kImplicitPd, 50.0, 4.0), 3.0F, 600);
  EXPECT_NEAR(env.state().q[0], std::asin(4.0 / (9.81 * 0.5)), 0.01);
}

TEST(ServoTest, ArmatureAndFrictionOfTheDescriptionReplaceTheModels) {
  robot::RobotSpec spec = Pendulum(robot::ActuatorKind::kPd, 0.0, 0.0);
  spec.armature = {0.75};
  const auto world = internal::WorldOf(FlatTerrain(), spec);
  const int dof = world->binding().joint_dof[0];
  // The joint's inertia is 1 kg at 0.5 m and the armature.
  EXPECT_NEAR(world->model()->dof_M0[dof], 0.25 + 1e-4 + 0.75, 1e-9);
  // Dry friction of 5 N m holds the arm at 0.9 rad, where its weight asks for 3.8 N m.
  spec.friction = {5.0};
  Env env(internal::WorldOf(FlatTerrain(), spec));
  Start start;
  start.p_W = {0.0, 0.0, 0.1};
  start.q = {0.9};
  env.Reset(start);
  const std::vector<float> action{0.0F};
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(env.Step(action).ok());
  EXPECT_NEAR(env.state().q[0], 0.9, 0.05);
}

TEST(ServoTest, ActionsAreClippedBeforeTheyActAndBeforeThePolicySeesThemAgain) {
  robot::RobotSpec spec = Pendulum(robot::ActuatorKind::kImplicitPd, 200.0, 10.0);
  spec.action_clip = 0.25;
  const Env env = Held(spec, -7.0F, 200);
  EXPECT_EQ(env.state().last_action[0], -0.25F);
  EXPECT_NEAR(env.state().q[0], -0.25, 0.01);
}

}  // namespace
}  // namespace gonogo::sim
