// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/forgiving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace gonogo::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ForgivingTest, LeavesOutWhatDoesNotTouchTheMotionAndSaysWhere) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <option timestep="0.004" ls_iterations="5"
          integrator="implicitfast">
    <flag eulerdamp="disable"/>
  </option>
  <worldbody><body name="b"><freejoint/><geom size="0.1"/>
    <body name="l"><joint name="j" actuatorfrcrange="-5 5" range="-1 1"/><geom size="0.1"/></body></body></worldbody>
  <actuator><position joint="j" kp="30" kv="2"/></actuator>
  <sensor>
    <contact name="c" geom1="x"/>
    <framepos objtype="body" objname="b"/>
  </sensor>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_THAT(
      model.value().notes,
      testing::UnorderedElementsAre(
          "robot.xml:2: option ls_iterations=\"5\" is left out: a setting of newer solvers",
          "robot.xml:2: option integrator implicitfast is read as implicit",
          "robot.xml:4: flag eulerdamp=\"disable\" is left out: damping of joints is always "
          "integrated implicitly here",
          "robot.xml:7: joint actuatorfrcrange=\"-5 5\" is left out: give it as "
          "actuator.effort_limit in robot.toml",
          "robot.xml:8: position kv=\"2\" is left out: give it as actuator.kd in robot.toml",
          "robot.xml: ranges count as limits, as newer versions take them",
          "robot.xml:10: contact is left out: nothing here reads it"));
  EXPECT_DOUBLE_EQ(model.value().model->opt.timestep, 0.004);  // the rest is as it was
  EXPECT_EQ(model.value().model->opt.integrator, mjINT_IMPLICIT);
  EXPECT_EQ(model.value().model->nsensor, 1);
  EXPECT_EQ(model.value().model->jnt_limited[1], 1);
  EXPECT_DOUBLE_EQ(model.value().model->actuator_gainprm[0], 30.0);
}

TEST(ForgivingTest, ListsEverythingItCannotLeaveOutAtOnce) {
  const Result<ForgivenModel> model = CompileForgiving(R"(<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <worldbody><body name="b" gravcomp="1"><freejoint/>
    <geom size="0.1" fluidcloud="3"/></body></worldbody>
</mujoco>)",
                                                       "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message,
              AllOf(HasSubstr("folder/robot.xml: cannot be read"),
                    HasSubstr("robot.xml:2: extension is an element"),
                    HasSubstr("robot.xml:3: body gravcomp=\"1\" is an attribute"),
                    HasSubstr("robot.xml:4: geom fluidcloud=\"3\" is an attribute")));
}

TEST(ForgivingTest, AModelThatIsUnderstoodHasNoNotesAndOtherErrorsStayAsTheyAre) {
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
