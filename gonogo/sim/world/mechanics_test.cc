// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/mechanics.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

/// A heavy box that carries one light link at its centre: the box hardly moves, so that the joint
/// has the inertia of the link about the hinge.
class MechanicsTest : public testing::Test {
 protected:
  static robot::RobotSpec Pendulum() {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "mechanics_pendulum.xml";
    std::ofstream(file) << R"(<mujoco>
  <worldbody><body name="box" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="1e6" diaginertia="1e6 1e6 1e6"/>
    <body name="link"><joint name="hinge" type="hinge" axis="0 1 0" range="-30 60" limited="true"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.02 0.02"/>
      <geom name="tip" type="sphere" size="0.01" pos="1 0 0"/></body></body></worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <keyframe><key qpos="0 0 1 1 0 0 0 0.25"/></keyframe></mujoco>)";
    robot::RobotSpec spec;
    spec.name = "pendulum";
    spec.model = file;
    spec.root = "box";
    spec.feet = {"tip"};
    spec.spawn_height_m = 1.0;
    spec.joints = {"hinge"};
    spec.default_pose = {0.0};
    spec.action_scale = {1.0};
    spec.actuator.kp = {10.0};
    spec.actuator.kd = {3.0};
    spec.actuator.effort_limit = {1e9};
    return spec;
  }
};

TEST_F(MechanicsTest, OneLinkHasTheNumbersOfTheTextbook) {
  const auto world = internal::WorldOf(FlatTerrain(), Pendulum());
  const Result<Mechanics> mechanics = Mechanics::Of(*world);
  ASSERT_TRUE(mechanics.ok()) << mechanics.error().message;
  const JointMechanics& joint = mechanics.value().joints().at(0);
  const double inertia = 0.02 + 2.0 * 0.5 * 0.5;  // of the link about the hinge: 0.52
  EXPECT_NEAR(joint.inertia, inertia, 1e-4);
  EXPECT_NEAR(joint.damping_step(0.005), 3.0 * 0.005 / inertia, 1e-5);
  EXPECT_NEAR(joint.stiffness_step(0.005), 10.0 * 0.005 * 0.005 / inertia, 1e-6);
  ASSERT_TRUE(joint.range.has_value());
  EXPECT_NEAR((*joint.range)[1], 1.0472, 1e-4);
  EXPECT_EQ(joint.depth, 0);
  ASSERT_EQ(mechanics.value().keyframes().size(), 1);
  EXPECT_DOUBLE_EQ(mechanics.value().keyframes()[0].at(0), 0.25);
}

TEST_F(MechanicsTest, TheLoadIsOneWhereAnExplicitStepOfOneJointBecomesUnstable) {
  // Semi-implicit Euler of J q'' = -kp q - kd q' is stable while 2 kd dt + kp dt^2 < 4 J: with
  // these numbers 10 dt^2 + 6 dt = 2.08, dt = 0.2459 s.
  const Result<Mechanics> mechanics = Mechanics::Of(*internal::WorldOf(FlatTerrain(), Pendulum()));
  ASSERT_TRUE(mechanics.ok()) << mechanics.error().message;
  EXPECT_NEAR(mechanics.value().LoadAt(0.2459).value, 1.0, 1e-3);
  EXPECT_LT(mechanics.value().LoadAt(0.005).value, 0.02);
}

TEST_F(MechanicsTest, AStandingRobotsTorquesCarryItsWeight) {
  // Lifting the root by h without moving the feet costs m g h: the torques must do that work. For a
  // leg of the Go2 in its default pose, gravity and ground forces balance at the joints exactly
  // when torque = - d(height of the root over the foot)/dq * m g / 4, up to the weight of the leg
  // itself.
  const robot::RobotSpec spec = internal::Go2();
  const auto world = internal::WorldOf(FlatTerrain(), spec);
  const Result<Mechanics> mechanics = Mechanics::Of(*world);
  ASSERT_TRUE(mechanics.ok()) << mechanics.error().message;
  const double share = 9.81 * world->mass_kg() / 4.0;
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    if (spec.joints[j].find("FL_calf") == std::string::npos) continue;
    const double thigh = spec.default_pose[j - 4];
    const double calf = spec.default_pose[j];
    const double lever = -0.213 * std::sin(thigh + calf);  // of the foot about the knee, m
    EXPECT_NEAR(mechanics.value().joints()[j].standing_torque, lever * share, 0.6);
  }
}

TEST_F(MechanicsTest, JointsKnowTheirBranchAndLevel) {
  const robot::RobotSpec spec = internal::Go2();
  const Result<Mechanics> mechanics = Mechanics::Of(*internal::WorldOf(FlatTerrain(), spec));
  ASSERT_TRUE(mechanics.ok()) << mechanics.error().message;
  const auto of = [&](const std::string& name) {
    const auto at = std::find(spec.joints.begin(), spec.joints.end(), name) - spec.joints.begin();
    return mechanics.value().joints().at(static_cast<std::size_t>(at));
  };
  EXPECT_EQ(of("FL_hip_joint").depth, 0);
  EXPECT_EQ(of("FL_calf_joint").depth, 2);
  EXPECT_EQ(of("FL_calf_joint").chain, of("FL_hip_joint").chain);
  EXPECT_NE(of("FL_calf_joint").chain, of("FR_calf_joint").chain);
}

}  // namespace
}  // namespace gonogo::sim
