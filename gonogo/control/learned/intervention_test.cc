// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/learned/intervention.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::control {
namespace {

const robot::CommandBox kBox;
const robot::Command kDirect{0.8, 0.1, -0.3};

robot::Command Alternative(const char* name) {
  return Apply(ParseIntervention(name).value(), kDirect, kBox);
}

TEST(InterventionTest, TheNameSaysWhatHappensToTheDirectCommand) {
  EXPECT_EQ(Alternative("direct"), kDirect);
  EXPECT_EQ(Alternative("scale-0.75"), 0.75 * kDirect);
  EXPECT_EQ(Alternative("yaw+0.2").wz, kDirect.wz + 0.2);
  EXPECT_EQ(Alternative("yaw-0.2").wz, kDirect.wz - 0.2);
  const robot::Command left = Alternative("heading+0.3");
  EXPECT_NEAR(std::hypot(left.vx, left.vy), std::hypot(kDirect.vx, kDirect.vy), 1e-15);
  EXPECT_NEAR(std::atan2(left.vy, left.vx), std::atan2(kDirect.vy, kDirect.vx) + 0.3, 1e-15);
  EXPECT_EQ(left.wz, kDirect.wz);
}

TEST(InterventionTest, AlternativesStayInsideTheBox) {
  EXPECT_EQ(Alternative("yaw-3").wz, -1.0);
  EXPECT_EQ(Alternative("scale-2").vx, 1.0);
}

TEST(InterventionTest, WrongNamesAreRefusedWithWhatIsExpected) {
  for (const char* name :
       {"", "Direct", "scale", "scale-", "scale-x", "scale-0", "scale-2.5", "scale+0.9",
        "heading0.3", "heading+", "yaw+4", "yaw+0.2 ", "roll+0.1", "scale-nan"}) {
    const Result<Intervention> result = ParseIntervention(name);
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_THAT(result.error().message, testing::HasSubstr("heading+RADIANS"));
  }
}

/// Velocity, and the height of a step from 0.05 m to 0.2 m, usually 0.08 m.
const std::vector<robot::CommandChannel> kWithStep{
    {"vx", 0}, {"vy", 1}, {"wz", 2}, {"step_height", 3, 0.08}};

TEST(InterventionTest, EveryChannelCanBeShiftedMultipliedOrSet) {
  robot::CommandBox box;
  kWithStep[3].Set(box.low, 0.05);
  kWithStep[3].Set(box.high, 0.2);
  const auto told = [&](const char* action, std::size_t channel) {
    const Result<Intervention> intervention = ParseIntervention(action, kWithStep);
    EXPECT_TRUE(intervention.ok()) << action;
    return kWithStep[channel].Of(Apply(intervention.value(), kDirect, box));
  };
  EXPECT_DOUBLE_EQ(told("step_height+0.05", 3), 0.13);
  EXPECT_DOUBLE_EQ(told("step_height-0.02", 3), 0.06);
  EXPECT_DOUBLE_EQ(told("step_height*0.75", 3), 0.06);
  EXPECT_DOUBLE_EQ(told("step_height=0.1", 3), 0.1);
  EXPECT_DOUBLE_EQ(told("step_height*9", 3), 0.2);  // the end of its range
  EXPECT_DOUBLE_EQ(told("step_height+0.05", 0), kDirect.vx);
  EXPECT_DOUBLE_EQ(told("scale-0.5", 3), 0.08);  // scales are about the velocity
  EXPECT_DOUBLE_EQ(told("vx*0.5", 0), 0.5 * kDirect.vx);
  EXPECT_DOUBLE_EQ(told("wz=0", 2), 0.0);
  EXPECT_DOUBLE_EQ(told("vy-0.3", 1), kDirect.vy - 0.3);
  EXPECT_EQ(ParseIntervention("wz-0.2").value().is_of_velocity(), true);
  EXPECT_EQ(ParseIntervention("step_height=0.1", kWithStep).value().is_of_velocity(), false);
  // Half of the way, and no way at all at the target.
  const Intervention higher = ParseIntervention("step_height+0.04", kWithStep).value();
  EXPECT_DOUBLE_EQ(kWithStep[3].Of(Intervene(higher, kDirect, 2.0, {}, box)), 0.1);
  EXPECT_EQ(Intervene(higher, kDirect, 0.0, {}, box), kDirect);
}

TEST(InterventionTest, AChannelTheRobotDoesNotHaveIsRefusedWithThoseItHas) {
  for (const char* action : {"step_height+0.05", "step_height", "vx", "vx*", "vx=fast"}) {
    const Result<Intervention> result = ParseIntervention(action);
    ASSERT_FALSE(result.ok()) << action;
    EXPECT_THAT(result.error().message, testing::HasSubstr("a channel out of vx, vy, wz"));
  }
}

TEST(InterventionTest, TheBlendGoesHalfWayAndLessNearTheTarget) {
  const Intervention scale = ParseIntervention("scale-0.5").value();
  const BoundedBlend blend{.share = 0.5, .anneal_distance_m = 0.5};
  EXPECT_DOUBLE_EQ(Intervene(scale, kDirect, 2.0, blend, kBox).vx, 0.75 * kDirect.vx);
  EXPECT_DOUBLE_EQ(Intervene(scale, kDirect, 0.25, blend, kBox).vx, 0.875 * kDirect.vx);
  EXPECT_EQ(Intervene(scale, kDirect, 0.0, blend, kBox), kDirect);
  const BoundedBlend whole{.share = 1.0, .anneal_distance_m = 0.0};
  EXPECT_DOUBLE_EQ(Intervene(scale, kDirect, 0.0, whole, kBox).vx, 0.5 * kDirect.vx);
}

TEST(InterventionTest, DirectIsTheDirectCommandBitForBit) {
  for (const double distance : {0.0, 0.3, 5.0}) {
    EXPECT_EQ(Intervene({}, kDirect, distance, {}, kBox), kDirect);
  }
}

}  // namespace
}  // namespace gonogo::control
