// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/urdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/model/engine.h"

namespace gonogo::sim {
namespace {

using ::testing::HasSubstr;

std::string Hopper(const std::string& extension, const std::string& shape) {
  return R"(<?xml version="1.0"?>
<robot name="hopper">)" +
         extension + R"(
  <link name="base">
    <inertial><mass value="5"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
  </link>
  <link name="leg">
    <inertial><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry>)" +
         shape + R"(</geometry></collision>
  </link>
  <joint name="knee" type="revolute"><parent link="base"/><child link="leg"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="20" velocity="10"/></joint>
</robot>
)";
}

constexpr char kSphere[] = "<sphere radius=\"0.03\"/>";

TEST(UrdfTest, ItsRootCanMoveAndItsJointsHaveMotors) {
  for (const char* extension :
       {"", "<mujoco><compiler balanceinertia=\"true\"/></mujoco>", "<mujoco></mujoco>"}) {
    const std::string urdf = Hopper(extension, kSphere);
    ASSERT_TRUE(IsUrdf(urdf));
    const Result<std::string> mjcf = MjcfFromUrdf(urdf, "folder/hopper.urdf");
    ASSERT_TRUE(mjcf.ok()) << mjcf.error().message;
    EXPECT_FALSE(IsUrdf(mjcf.value()));
    const ModelPtr model = CompileModel(mjcf.value(), "folder/hopper.urdf").value();
    ASSERT_EQ(model->njnt, 2) << mjcf.value();
    EXPECT_EQ(model->jnt_type[0], mjJNT_FREE);
    EXPECT_EQ(model->jnt_bodyid[0], mj_name2id(model.get(), mjOBJ_BODY, "base"));
    ASSERT_EQ(model->nu, 1);
    EXPECT_EQ(model->actuator_trnid[0], mj_name2id(model.get(), mjOBJ_JOINT, "knee"));
    EXPECT_DOUBLE_EQ(model->body_mass[1] + model->body_mass[2], 6.0);
  }
}

TEST(UrdfTest, SaysWhatToDoWhereMeshesAreMissing) {
  const Result<std::string> mjcf = MjcfFromUrdf(
      Hopper("", "<mesh filename=\"package://hopper/leg.stl\"/>"), "folder/hopper.urdf");
  ASSERT_FALSE(mjcf.ok());
  EXPECT_THAT(mjcf.error().message,
              testing::AllOf(HasSubstr("folder/hopper.urdf: a URDF"), HasSubstr("leg.stl"),
                             HasSubstr("beside it"), HasSubstr("<freejoint/>")));
}

TEST(UrdfTest, AJointOfAnUnknownTypeIsRefusedInsteadOfEndingTheProgram) {
  const Result<std::string> mjcf = MjcfFromUrdf(
      "<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolut'>"
      "<parent link='a'/><child link='b'/><limit lower='-1' upper='1'/></joint></robot>",
      "r.urdf");
  ASSERT_FALSE(mjcf.ok());
  EXPECT_THAT(mjcf.error().message,
              testing::HasSubstr("line 2: the type of a joint is 'revolut', expected revolute"));
}

}  // namespace
}  // namespace gonogo::sim
