// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/closed_loop.h"

#include "tests/support/allocation_count.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::RestlessPolicy;
using internal::WorldOf;
using ::testing::HasSubstr;

TEST(ClosedLoopTest, APolicyOfTheWrongSizeIsRefusedWithBothNumbers) {
  robot::RobotSpec other = Go2();
  other.observation.pop_back();
  const Result<ClosedLoop> loop =
      ClosedLoop::Create(WorldOf(FlatTerrain()), std::make_shared<RestlessPolicy>(other));
  ASSERT_FALSE(loop.ok());
  EXPECT_THAT(loop.error().message, HasSubstr("observation terms give 237 values"));
  EXPECT_THAT(loop.error().message, HasSubstr("takes 235"));
}

TEST(ClosedLoopTest, AControlStepOfTheShippedPolicyAllocatesNothing) {
  const robot::RobotSpec spec = Go2();
  ClosedLoop loop = ClosedLoop::Create(WorldOf(RoughTerrain(1, spec.terrain, RngStream(1))),
                                       OnnxPolicy::Load(spec).value())
                        .value();
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(loop.Advance({.vx = 0.5}).ok());
  const std::size_t before = testing_support::AllocationCount();
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(loop.Advance({.vx = 0.5}).ok());
  EXPECT_EQ(testing_support::AllocationCount(), before);
}

TEST(ClosedLoopTest, TheShippedPolicyWalksAsItIsTold) {
  const robot::RobotSpec spec = Go2();
  ClosedLoop loop =
      ClosedLoop::Create(WorldOf(FlatTerrain()), OnnxPolicy::Load(spec).value()).value();
  loop.Reset(DrawStart(loop.env().world(), RngStream(1)));
  double vx = 0.0;
  for (int step = 0; step < 150; ++step) {
    ASSERT_TRUE(loop.Advance({.vx = 0.6}).ok());
    if (step >= 50) vx += loop.env().state().v_B[0] / 100.0;
  }
  EXPECT_EQ(loop.env().termination(), Termination::kNone);
  EXPECT_NEAR(vx, 0.6, 0.2);
}

}  // namespace
}  // namespace gonogo::sim
