// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/model/read_model.h"

namespace gonogo::sim {
namespace {

using ::testing::HasSubstr;

TEST(EngineTest, AFatalErrorOfTheEngineIsAnErrorValue) {
  const Status called = CallEngine([] { mju_error("the sky is falling"); });
  ASSERT_FALSE(called.ok());
  EXPECT_THAT(called.error().message, HasSubstr("the sky is falling"));
  EXPECT_TRUE(CallEngine([] {}).ok());  // and the next call works
}

TEST(EngineTest, AnErrorDeepInsideAPhysicsStepComesBackToo) {
  const ModelPtr model = ModelSource::Parse(
                             "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                             "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.1 0.1 "
                             "0.1'/></body></worldbody></mujoco>",
                             "folder/robot.xml")
                             .value()
                             .Compile()
                             .value();
  model->narena = 2000;  // far too little for a contact
  const DataPtr data(mj_makeData(model.get()));
  const Status stepped = CallEngine([&] { mj_step(model.get(), data.get()); });
  ASSERT_FALSE(stepped.ok());
  EXPECT_THAT(stepped.error().message, HasSubstr("stack overflow"));
}

TEST(EngineTest, HeadersAndLibraryHaveToAgree) {
  EXPECT_TRUE(CheckEngine().ok());
  const Status other = CheckEngine(mjVERSION_HEADER + 1);
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, HasSubstr("in libmujoco"));
  EXPECT_THAT(EngineVersion(), testing::StartsWith("MuJoCo 3."));
}

}  // namespace
}  // namespace gonogo::sim
