// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace gonogo::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(EngineTest, AFatalErrorOfTheEngineIsAnErrorValue) {
  const Status called = CallEngine([] { mju_error("the sky is falling"); });
  ASSERT_FALSE(called.ok());
  EXPECT_THAT(called.error().message, HasSubstr("the sky is falling"));
  EXPECT_TRUE(CallEngine([] {}).ok());  // and the next call works
}

#if mjVERSION_HEADER < 300  // later versions size their arena otherwise
TEST(EngineTest, AnErrorDeepInsideAPhysicsStepComesBackToo) {
  const ModelPtr model =
      CompileModel(
          "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
          "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
          "</worldbody></mujoco>",
          "folder/robot.xml")
          .value();
  model->nstack = 50;  // far too little for a contact
  const DataPtr data(mj_makeData(model.get()));
  const Status stepped = CallEngine([&] { mj_step(model.get(), data.get()); });
  ASSERT_FALSE(stepped.ok());
  EXPECT_THAT(stepped.error().message, HasSubstr("tack overflow"));
}
#endif

TEST(EngineTest, AModelThatDoesNotParseNamesTheFileAndTheReason) {
  const Result<ModelPtr> model = CompileModel("<mujoco><wrold/></mujoco>", "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, AllOf(HasSubstr("folder/robot.xml"), HasSubstr("wrold")));
}

TEST(EngineTest, AnEmptyModelIsRefusedBeforeTheEngineEndsTheProgram) {
  const Result<ModelPtr> model = CompileModel("", "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().message, "folder/robot.xml: the model is empty");
}

TEST(EngineTest, AModelTheEngineRefusesNamesTheReason) {
  const Result<ModelPtr> model = CompileModel(
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, HasSubstr("mass and inertia"));
}

}  // namespace
}  // namespace gonogo::sim
