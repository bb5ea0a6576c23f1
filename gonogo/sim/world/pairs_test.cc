// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/loop/env.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

robot::RobotSpec Ball(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << text;
  robot::RobotSpec spec;
  spec.name = "ball";
  spec.file = "ball.toml";
  spec.model = file;
  spec.root = "ball";
  spec.feet = {"sole"};
  spec.spawn_height_m = 0.3;
  spec.joints = {"hinge"};
  spec.default_pose = {0.0};
  spec.action_scale = {1.0};
  spec.target_low = {-1.0};
  spec.target_high = {1.0};
  spec.actuator.kp = {1.0};
  spec.actuator.kd = {0.1};
  spec.actuator.effort_limit = {10.0};
  return spec;
}

/// A ball with an arm that lies in its way, on a floor of its own, half a metre up.
std::string BallMjcf(const std::string& pair) {
  return R"(<mujoco>
  <worldbody><geom name="floor" type="plane" size="5 5 1" pos="0 0 0.5"/>
    <body name="ball"><freejoint/>
      <geom name="sole" type="sphere" size="0.1" mass="1" contype="0" conaffinity="0"/>
      <body name="arm"><joint name="hinge" axis="0 1 0"/>
        <geom type="sphere" size="0.02" mass="0.01" contype="0" conaffinity="0"/>
        <body><joint axis="0 1 0"/>
          <geom name="hand" type="sphere" size="0.02" mass="0.01" pos="0 0 0.09"/>
          </body></body></body></worldbody>
  <contact>)" +
         pair + R"(</contact>
  <actuator><motor joint="hinge"/></actuator></mujoco>)";
}

TEST(PairsTest, ContactPairsWithTheModelsOwnFloorBecomeContactsWithOurGround) {
  Env env(internal::WorldOf(
      FlatTerrain(), Ball("pairs_ball.xml", BallMjcf("<pair geom1=\"floor\" geom2=\"sole\"/>"))));
  Start start;
  start.p_W = {0.0, 0.0, 0.3};  // under the model's floor
  env.Reset(start);
  const std::vector<float> action{0.0F};
  for (int step = 0; step < 100; ++step) ASSERT_TRUE(env.Step(action).ok());
  EXPECT_NEAR(env.state().p_W[2], 0.1, 0.01);  // it lies on ours
  EXPECT_TRUE(env.feet()[0].contact);
}

TEST(PairsTest, APairMayStandInAnIncludedFile) {
  std::ofstream(std::filesystem::path(testing::TempDir()) / "pairs_contact.xml")
      << "<mujoco><contact><pair geom1=\"floor\" geom2=\"sole\"/></contact></mujoco>";
  std::string text = BallMjcf("");
  text.insert(text.find("<actuator>"), "<include file=\"pairs_contact.xml\"/>");
  Env env(internal::WorldOf(FlatTerrain(), Ball("pairs_including.xml", text)));
  Start start;
  start.p_W = {0.0, 0.0, 0.3};
  env.Reset(start);
  const std::vector<float> action{0.0F};
  for (int step = 0; step < 100; ++step) ASSERT_TRUE(env.Step(action).ok());
  EXPECT_NEAR(env.state().p_W[2], 0.1, 0.01);
}

TEST(PairsTest, AGeomOfAPairMeetsTheGroundOnlyAndPairsOfTheRobotsOwnGeomsStay) {
  const auto contacts = [](const std::string& file, const std::string& pair) {
    const auto world = internal::WorldOf(
        FlatTerrain(), Ball(file, BallMjcf("<pair geom1=\"floor\" geom2=\"sole\"/>" + pair)));
    const DataPtr data(mj_makeData(world->model()));
    data->qpos[2] = 0.09;  // the ball sinks in by a centimetre
    mj_forward(world->model(), data.get());
    return data->ncon;
  };
  // The hand overlaps the ball: the two touch only if the model says so.
  EXPECT_EQ(contacts("pairs_apart.xml", ""), 1);
  EXPECT_EQ(contacts("pairs_hand.xml", "<pair geom1=\"hand\" geom2=\"sole\"/>"), 2);
}

TEST(PairsTest, TorqueLimitsOfTheModelHoldUnlessTheDescriptionHasItsOwn) {
  std::string text = BallMjcf("<pair geom1=\"floor\" geom2=\"sole\"/>");
  text.replace(text.find("axis="), 0, "actuatorfrcrange=\"-3 3\" ");
  robot::RobotSpec spec = Ball("pairs_limit.xml", text);
  const auto given = World::Create(spec, FlatTerrain());
  ASSERT_TRUE(given.ok()) << given.error().message;
  EXPECT_DOUBLE_EQ(given.value()->spec().actuator.effort_limit[0], 10.0);
  EXPECT_FALSE(given.value()->model()->jnt_actfrclimited[1]);
  spec.actuator.effort_limit = {INFINITY};
  const auto taken = World::Create(spec, FlatTerrain());
  ASSERT_TRUE(taken.ok()) << taken.error().message;
  EXPECT_DOUBLE_EQ(taken.value()->spec().actuator.effort_limit[0], 3.0);
  EXPECT_TRUE(taken.value()->model()->jnt_actfrclimited[1]);
}

TEST(PairsTest, AUrdfGetsAnAnswer) {
  const robot::RobotSpec spec =
      Ball("pairs_ball.urdf", "<?xml version=\"1.0\"?>\n<robot name=\"ball\"></robot>\n");
  const auto world = World::Create(spec, FlatTerrain());
  ASSERT_FALSE(world.ok());
  EXPECT_THAT(world.error().message,
              testing::AllOf(testing::HasSubstr("pairs_ball.urdf"), testing::HasSubstr("URDF"),
                             testing::HasSubstr("freejoint"), testing::HasSubstr("<motor")));
}

}  // namespace
}  // namespace gonogo::sim
