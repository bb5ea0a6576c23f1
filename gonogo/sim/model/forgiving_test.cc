// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/forgiving.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace gonogo::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ForgivingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (mj_version() >= 300) GTEST_SKIP() << "this MuJoCo knows these models";
  }
};

TEST_F(ForgivingTest, AWordOfTheModelThatLooksLikeAPlaceIsNone) {
  const Result<ForgivenModel> model = CompileForgiving(
      "<mujoco><option integrator=\"Element 'x', line 99999999999999999999\"/></mujoco>",
      "robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, testing::HasSubstr("invalid keyword"));
}

TEST_F(ForgivingTest, LeavesOutWhatDoesNotTouchTheMotionAndSaysWhere) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <option timestep="0.004" iterations="1" ls_iterations="5"
          integrator="implicitfast">
    <flag eulerdamp="disable"/>
  </option>
  <!-- <joint actuatorfrcrange="-7 7"/> -->
  <visual><global bvactive="0"/></visual>
  <worldbody><body name="b"><freejoint/><geom size="0.1"/>
    <body name="l"><joint name="j" range="-1 1"/><geom size="0.1"/></body></body></worldbody>
  <contact/>
  <actuator><motor joint="j"/></actuator>
  <sensor>
    <contact name="c" geom1="x"/> <contact name="d" geom1="x"/>
    <framepos objtype="body" objname="b"/>
  </sensor>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_THAT(
      model.value().notes,
      testing::UnorderedElementsAre(
          "robot.xml:2: option ls_iterations=\"5\" is left out: a setting of newer solvers",
          "robot.xml:2: option integrator=\"implicitfast\" is read as implicit",
          "robot.xml:4: flag eulerdamp=\"disable\" is left out: damping of joints is always "
          "integrated implicitly here",
          "robot.xml:7: global bvactive=\"0\" is left out: nothing here reads it",
          "robot.xml: ranges count as limits, as newer versions take them",
          "robot.xml:13 and 1 more: contact in sensor is left out: nothing here reads it",
          "robot.xml: option iterations=\"1\" is read as 50: with fewer than 20 this version's "
          "solver lets feet slip and sink"));
  const mjModel& compiled = *model.value().model;
  EXPECT_DOUBLE_EQ(compiled.opt.timestep, 0.004);  // the rest is as it was
  EXPECT_EQ(compiled.opt.integrator, mjINT_IMPLICIT);
  EXPECT_EQ(compiled.opt.iterations, 50);
  EXPECT_EQ(compiled.nsensor, 1);
  EXPECT_EQ(compiled.jnt_limited[1], 1);
}

TEST_F(ForgivingTest, TranslatesTorqueLimitsAndSpeedGainsThroughDefaultClasses) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <default>
    <joint actuatorfrcrange="-5 5"/>
    <position kp="30" kv="2"/>
    <default class="knee"><joint actuatorfrcrange="-8 9"/></default>
  </default>
  <worldbody><body><freejoint/><geom size="0.1"/>
    <body><joint name="hip"/><geom size="0.1"/>
      <body><joint name="knee" class="knee"/><geom size="0.1"/></body></body></body></worldbody>
  <actuator><position joint="hip"/><position joint="knee" kv="3"/></actuator>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_THAT(model.value().torque_limit, testing::ElementsAre(INFINITY, 5.0, 9.0));
  EXPECT_THAT(model.value().position_kd, testing::ElementsAre(2.0, 3.0));
  EXPECT_THAT(model.value().notes,
              testing::UnorderedElementsAre(
                  "robot.xml:3 and 1 more: joint actuatorfrcrange=\"-5 5\" is read as the limit of "
                  "the joint's torque unless actuator.effort_limit is given",
                  "robot.xml:4 and 1 more: position kv=\"2\" is read as the gain on the speed "
                  "unless actuator.kd is given"));
}

TEST_F(ForgivingTest, ADampingRatioIsReadAsTheGainThatDampsTheInertiaAsModelled) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <default><position kp="50" dampratio="0.5"/></default>
  <worldbody><body><freejoint/><geom size="0.1"/>
    <body><joint name="hip" axis="0 0 1" armature="0.1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.4"/></body>
    <body><joint name="knee" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.4"/></body></body></worldbody>
  <actuator><position joint="hip"/><position joint="knee" gear="2" dampratio="1"/></actuator>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  // 2 x ratio x sqrt(kp J): J is 0.4 + 0.1, and 0.4 seen through a gear of 2 is 0.1.
  EXPECT_NEAR(model.value().position_kd[0], 2.0 * 0.5 * std::sqrt(50.0 * 0.5), 1e-12);
  EXPECT_NEAR(model.value().position_kd[1], 2.0 * 1.0 * std::sqrt(50.0 * 0.1), 1e-12);
  EXPECT_THAT(model.value().notes, testing::ElementsAre(HasSubstr(
                                       "robot.xml:2 and 1 more: position dampratio=\"0.5\" is "
                                       "read as the gain on the speed")));
}

TEST_F(ForgivingTest, ReadsWhatIsTakenOffTheWeightOfBodies) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <worldbody><body name="b"><freejoint/><geom size="0.1"/>
    <body gravcomp="0.5"><joint name="j" actuatorgravcomp="false"/><geom size="0.1"/></body>
  </body></worldbody>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_THAT(model.value().gravcomp, testing::ElementsAre(0.0, 0.0, 0.5));
}

TEST_F(ForgivingTest, SaysWhyItCannotKeepWhatItKnows) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <worldbody><body name="b"><freejoint/><geom size="0.1"/>
    <body gravcomp="1" user="3"><joint name="j" actuatorgravcomp="true"/><geom size="0.1"/></body>
    <frame pos="0 0 1"><body><geom size="0.1"/></body></frame>
  </body></worldbody>
  <actuator><position joint="j" timeconst="0.1"/></actuator>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(
      model.error().message,
      AllOf(HasSubstr("robot.xml:3: body gravcomp=\"1\" cannot be kept: it is read through user"),
            HasSubstr("robot.xml:3: joint actuatorgravcomp=\"true\" cannot be kept: the motors"),
            HasSubstr("robot.xml:4: frame cannot be kept: MuJoCo 3 replaces it"),
            HasSubstr("robot.xml:6: position timeconst=\"0.1\" cannot be kept: it delays")));
}

TEST_F(ForgivingTest, ListsEverythingItCannotLeaveOutAtOnce) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <worldbody><body name="b" quake="1"><freejoint/>
    <geom size="0.1" fluidcloud="3"/></body></worldbody>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message,
              AllOf(HasSubstr("folder/robot.xml: written for a newer MuJoCo"),
                    HasSubstr("robot.xml:2: extension cannot be kept: plugins"),
                    HasSubstr("robot.xml:3: body quake=\"1\" is an attribute"),
                    HasSubstr("robot.xml:4: geom fluidcloud=\"3\" is an attribute")));
}

TEST_F(ForgivingTest, NamesTheIncludedFileAProblemStandsIn) {
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "forgiven_part.xml") << R"(<?xml version="1.0"?>
<mujocoinclude>
  <body name="b">
    <freejoint/><geom size="0.1"/>
    <body quake="1"><joint name="j" actuatorfrcrange="-4 4"/><geom size="0.1"/></body>
  </body>
</mujocoinclude>)";
  const std::string scene =
      "<mujoco>\n  <worldbody>\n    <include file=\"forgiven_part.xml\"/><body pos=\"0 0 9\" "
      "quake=\"2\"><geom size=\"0.1\"/></body></worldbody>\n</mujoco>";
  const Result<ForgivenModel> model = CompileForgiving(scene, folder / "forgiven_scene.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message,
              HasSubstr("forgiven_part.xml:5 and 1 more: body quake=\"1\" is an attribute"));
  const Result<ForgivenModel> missing = CompileForgiving(
      "<mujoco><include file=\"forgiven_absent.xml\"/><option ls_iterations=\"1\"/></mujoco>",
      folder / "forgiven_scene.xml");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("forgiven_absent.xml"));
}

TEST_F(ForgivingTest, AModelThatIsUnderstoodHasNoNotesAndOtherErrorsStayAsTheyAre) {
  const Result<ForgivenModel> fine = CompileForgiving(
      "<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>", "folder/robot.xml");
  ASSERT_TRUE(fine.ok()) << fine.error().message;
  EXPECT_TRUE(fine.value().notes.empty());
  const Result<ForgivenModel> wrong = CompileForgiving(
      "<mujoco><worldbody><geom size=\"-1\"/></worldbody></mujoco>", "folder/robot.xml");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("MuJoCo"));
}

}  // namespace
}  // namespace gonogo::sim
