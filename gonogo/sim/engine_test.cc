// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/engine.h"

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

TEST(EngineTest, AModelThatDoesNotParseNamesTheFileAndTheReason) {
  const Result<ModelPtr> model = CompileModel("<mujoco><wrold/></mujoco>", "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, AllOf(HasSubstr("folder/robot.xml"), HasSubstr("wrold")));
}

TEST(EngineTest, AModelTheEngineRefusesNamesTheReason) {
  const Result<ModelPtr> model = CompileModel(
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "folder/robot.xml");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, HasSubstr("mass and inertia"));
}

}  // namespace
}  // namespace gonogo::sim
