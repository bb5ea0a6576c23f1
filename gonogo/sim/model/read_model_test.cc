// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/read_model.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace gonogo::sim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<ModelPtr> Compiled(const std::string& text,
                          const std::filesystem::path& file = "folder/robot.xml") {
  ModelSource source = GONOGO_TRY(ModelSource::Parse(text, file));
  return source.Compile();
}

std::string RefusalOf(const std::string& text,
                      const std::filesystem::path& file = "folder/robot.xml") {
  const Result<ModelPtr> model = Compiled(text, file);
  EXPECT_FALSE(model.ok()) << text;
  return model.ok() ? "" : model.error().message;
}

std::string InBody(const std::string& inside, const std::string& rest = "") {
  return "<mujoco>\n<worldbody>\n<body name='b'><freejoint/><geom size='0.1'/>\n" + inside +
         "</body></worldbody>" + rest + "</mujoco>";
}

TEST(ReadModelTest, AModelThatIsWrongNamesTheFileTheLineAndTheReason) {
  EXPECT_THAT(RefusalOf("<mujoco>\n<wrold/></mujoco>"),
              AllOf(HasSubstr("folder/robot.xml"), HasSubstr("wrold"), HasSubstr("line 2")));
  EXPECT_THAT(RefusalOf(InBody("<body quake='1'/>")),
              AllOf(HasSubstr("quake"), HasSubstr("line 4")));
  EXPECT_THAT(RefusalOf(InBody("<body><joint/></body>")),
              AllOf(HasSubstr("mass and inertia"), HasSubstr("line 4")));
  EXPECT_THAT(RefusalOf(""), AllOf(HasSubstr("folder/robot.xml"), HasSubstr("empty")));
  EXPECT_THAT(RefusalOf("hello"), HasSubstr("folder/robot.xml"));
}

class ModelFolderTest : public testing::Test {
 protected:
  ModelFolderTest() { std::filesystem::create_directories(folder_); }
  ~ModelFolderTest() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "read_model_test";
};

TEST_F(ModelFolderTest, AProblemInAnIncludedFileNamesThatFileAndItsLine) {
  const std::string scene =
      "<mujoco>\n  <!-- <include file='absent.xml'/> -->\n  <worldbody>\n"
      "    <include file='trunk.xml'/><body pos='0 0 9'>SLOT<geom size='0.1'/></body>"
      "</worldbody>\n</mujoco>";
  const auto with = [&](const std::string& slot) {
    std::string text = scene;
    return text.replace(text.find("SLOT"), 4, slot);
  };
  Write("trunk.xml",
        "<mujocoinclude>\n<body>\n<freejoint/><geom size='0.1'/>\n"
        "<include file='leg.xml'/></body></mujocoinclude>");
  Write("leg.xml", "<mujoco>\n\n<body quake='1'><geom size='0.1'/></body>\n</mujoco>");
  EXPECT_THAT(RefusalOf(with(""), folder_ / "scene.xml"),
              AllOf(HasSubstr("scene.xml"), HasSubstr("quake"), HasSubstr("leg.xml:3")));
  Write("leg.xml", "<mujoco>\n\n<body>\n<joint/></body>\n</mujoco>");
  EXPECT_THAT(RefusalOf(with(""), folder_ / "scene.xml"),
              AllOf(HasSubstr("mass and inertia"), HasSubstr("leg.xml:3")));
  Write("leg.xml", "<mujoco><body><geom size='0.1'/></body></mujoco>");
  EXPECT_THAT(RefusalOf(with("<quake/>"), folder_ / "scene.xml"),
              AllOf(HasSubstr("quake"), HasSubstr("line 4")));
  EXPECT_TRUE(Compiled(with(""), folder_ / "scene.xml").ok());
  std::filesystem::remove(folder_ / "leg.xml");
  EXPECT_THAT(RefusalOf(with(""), folder_ / "scene.xml"), HasSubstr("leg.xml"));
}

TEST_F(ModelFolderTest, FramesReplicasAndAttachedModelsArePartsOfTheRobot) {
  Write("leg.xml",
        "<mujoco model='leg'><worldbody><body name='leg'><joint name='knee'/>"
        "<geom size='0.1'/></body></worldbody>"
        "<actuator><motor joint='knee'/></actuator></mujoco>");
  const std::string robot =
      "<mujoco><asset><model name='leg' file='leg.xml'/></asset><worldbody><body name='b'>"
      "<freejoint/><geom size='0.1'/>"
      "<frame pos='0 0 1'><body name='head' pos='0 0 1'><geom size='0.1'/></body></frame>"
      "<attach model='leg' body='leg' prefix='left_'/>"
      "<replicate count='2' offset='1 0 0'><body name='toe'><geom size='0.1'/></body></replicate>"
      "</body></worldbody></mujoco>";
  const Result<ModelPtr> model = Compiled(robot, folder_ / "robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  const auto body = [&](const char* name) {
    return mj_name2id(model.value().get(), mjOBJ_BODY, name);
  };
  EXPECT_DOUBLE_EQ(model.value()->body_pos[3 * body("head") + 2], 2.0);
  EXPECT_DOUBLE_EQ(model.value()->body_pos[3 * body("toe1")], 1.0);
  EXPECT_GT(body("left_leg"), 0);
  EXPECT_EQ(model.value()->nactuator, 1);
  Write("leg.xml", "<mujoco><asset><mesh file='../x.stl'/></asset></mujoco>");
  EXPECT_THAT(RefusalOf(robot, folder_ / "robot.xml"), HasSubstr("'../x.stl', expected files in"));
  Write("leg.xml", "<mujoco><worldbody>\n<body name='leg' quake='1'/></worldbody></mujoco>");
  EXPECT_THAT(RefusalOf(robot, folder_ / "robot.xml"),
              AllOf(HasSubstr("quake"), HasSubstr("line 2")));
}

TEST(ReadModelTest, WhatTheEngineCanSayAboutMotionIsKept) {
  const Result<ModelPtr> read = Compiled(R"(<mujoco>
  <option integrator="implicitfast" iterations="3" ls_iterations="5"><flag sleep="enable"/></option>
  <worldbody><body gravcomp="0.5"><freejoint/><geom size="0.1"/>
    <body><joint name="hip" axis="0 0 1" armature="0.1" actuatorfrcrange="-5 6" range="-1 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.4"/></body></body></worldbody>
  <actuator><position joint="hip" kp="50" dampratio="0.5"/></actuator>
  <keyframe><key qpos="0 0 1 1 0 0 0 0.25 "/></keyframe>
</mujoco>)");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const mjModel& model = *read.value();
  EXPECT_EQ(model.opt.integrator, mjINT_IMPLICITFAST);
  EXPECT_EQ(model.opt.iterations, 3);
  EXPECT_EQ(model.opt.enableflags & mjENBL_SLEEP, 0);  // snapshots do not hold what sleeps
  EXPECT_DOUBLE_EQ(model.body_gravcomp[1], 0.5);
  EXPECT_THAT(std::vector<double>(model.jnt_actfrcrange + 2, model.jnt_actfrcrange + 4),
              ElementsAre(-5.0, 6.0));
  EXPECT_TRUE(model.jnt_limited[1]);  // a range is a limit
  // kd = 2 x ratio x sqrt(kp J) with J = 0.4 + 0.1.
  EXPECT_NEAR(model.actuator_biasprm[2], -2.0 * 0.5 * std::sqrt(50.0 * 0.5), 1e-9);
  EXPECT_DOUBLE_EQ(model.key_qpos[7], 0.25);
}

TEST(ReadModelTest, AModelWithoutActuatorsGetsMotorsAndSaysSo) {
  const std::string joints =
      "<body><joint name='hip'/><geom size='0.1'/><body><joint name='knee' type='slide'/>"
      "<joint type='ball'/><geom size='0.1'/></body></body>";
  ModelSource source = ModelSource::Parse(InBody(joints), "folder/robot.xml").value();
  EXPECT_THAT(source.notes(), ElementsAre("robot.xml has no actuators: every joint has a motor"));
  const ModelPtr model = source.Compile().value();
  ASSERT_EQ(model->nactuator, 2);
  EXPECT_EQ(model->actuator_trnid[2], mj_name2id(model.get(), mjOBJ_JOINT, "knee"));
  EXPECT_EQ(model->actuator_biastype[1], mjBIAS_NONE);
  EXPECT_DOUBLE_EQ(model->actuator_gear[6], 1.0);
  ModelSource own =
      ModelSource::Parse(InBody(joints, "<actuator><motor joint='hip'/></actuator>"), "r.xml")
          .value();
  EXPECT_EQ(own.Compile().value()->nactuator, 1);
  EXPECT_TRUE(own.notes().empty());
}

constexpr char kMesh[] =
    "<mujoco><asset><mesh name='shell' file='shell.stl'/>"
    "<texture name='t' type='2d' file='skin.png'/>"
    "<texture name='c' type='cube' fileup='up.png'/>"
    "<material name='m' texture='t'/></asset>"
    "<worldbody><body><freejoint/>INERTIAL<geom size='0.1' material='m'/>"
    "<geom type='mesh' mesh='shell' LOOKS/></body></worldbody></mujoco>";

std::string Shell(const std::string& inertial, const std::string& looks) {
  std::string text = kMesh;
  text.replace(text.find("INERTIAL"), 8, inertial);
  return text.replace(text.find("LOOKS"), 5, looks);
}

TEST_F(ModelFolderTest, PicturesMayMissMeshesAndTexturesButTheMotionMayNot) {
  const std::string weight = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
  const std::string looks = "contype='0' conaffinity='0'";
  for (const std::string& text : {Shell(weight, looks), Shell("", looks + " mass='0'")}) {
    ModelSource source = ModelSource::Parse(text, folder_ / "robot.xml").value();
    const Result<ModelPtr> model = source.Compile();
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model.value()->ngeom, 1);
    EXPECT_THAT(
        source.notes(),
        testing::Contains(HasSubstr("robot.xml: pictures do without shell.stl, which is missing")));
  }
  // It would touch, or its weight would be missing.
  for (const std::string& text : {Shell(weight, ""), Shell("", looks)}) {
    EXPECT_THAT(RefusalOf(text, folder_ / "robot.xml"), HasSubstr("shell.stl"));
  }
}

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
  <link name="foot">
    <inertial><mass value="0.1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="knee" type="revolute"><parent link="base"/><child link="leg"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="20" velocity="10"/></joint>
  <joint name="ankle" type="fixed"><parent link="leg"/><child link="foot"/></joint>
</robot>
)";
}

constexpr char kSphere[] = "<sphere radius=\"0.03\"/>";

TEST(ReadUrdfTest, ItsRootCanMoveAndItsJointsHaveMotors) {
  for (const char* extension :
       {"", "<mujoco><compiler balanceinertia=\"true\"/></mujoco>", "<mujoco></mujoco>"}) {
    const Result<ModelPtr> read = Compiled(Hopper(extension, kSphere), "folder/hopper.urdf");
    ASSERT_TRUE(read.ok()) << read.error().message;
    const mjModel& model = *read.value();
    ASSERT_EQ(model.njnt, 2);
    EXPECT_EQ(model.jnt_type[0], mjJNT_FREE);
    EXPECT_EQ(model.jnt_bodyid[0], mj_name2id(&model, mjOBJ_BODY, "base"));
    EXPECT_GT(mj_name2id(&model, mjOBJ_BODY, "foot"), 0);  // though it is fixed
    ASSERT_EQ(model.nactuator, 1);
    EXPECT_EQ(model.actuator_trnid[0], mj_name2id(&model, mjOBJ_JOINT, "knee"));
    EXPECT_DOUBLE_EQ(model.body_mass[1] + model.body_mass[2] + model.body_mass[3], 6.1);
  }
}

TEST(ReadUrdfTest, SaysWhatToDoWhereMeshesAreMissing) {
  EXPECT_THAT(
      RefusalOf(Hopper("", "<mesh filename=\"package://hopper/leg.stl\"/>"), "f/hopper.urdf"),
      AllOf(HasSubstr("f/hopper.urdf: a URDF"), HasSubstr("leg.stl"), HasSubstr("beside it"),
            HasSubstr("<freejoint/>")));
}

TEST_F(ModelFolderTest, MeshesOfAUrdfAreLookedForBesideIt) {
  Write("leg.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Result<ModelPtr> read = Compiled(
      Hopper("", "<mesh filename=\"package://hopper/meshes/leg.obj\"/>"), folder_ / "hopper.urdf");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value()->nmesh, 1);
}

TEST(ReadUrdfTest, AJointOfAnUnknownTypeIsRefusedWithItsLine) {
  EXPECT_THAT(RefusalOf("<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' "
                        "type='revolut'><parent link='a'/><child link='b'/></joint></robot>",
                        "r.urdf"),
              AllOf(HasSubstr("r.urdf"), HasSubstr("joint type"), HasSubstr("line 2")));
}

}  // namespace
}  // namespace gonogo::sim
