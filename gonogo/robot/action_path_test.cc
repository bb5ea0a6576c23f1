// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/action_path.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

using ::testing::ElementsAre;

RobotSpec OneJoint() {
  RobotSpec spec;
  spec.joints = {"a"};
  spec.default_pose = {0.5};
  spec.action_scale = {0.25};
  spec.target_low = {-10.0};
  spec.target_high = {2.0};
  spec.decimation = 4;
  return spec;
}

/// The target at every physics step of three control steps with the actions 1, 2 and 3.
std::vector<double> TargetsOf(const RobotSpec& spec) {
  const ActionPath path(spec);
  std::vector<float> smoothed = path.StartSmoothed();
  std::vector<double> targets = path.StartTargets();
  std::vector<float> clipped(1);
  std::vector<double> told;
  for (const float action : {1.0F, 2.0F, 3.0F}) {
    path.Push(std::vector<float>{action}, clipped, smoothed, targets);
    for (int step = 0; step < spec.decimation; ++step) told.push_back(path.At(step, targets)[0]);
  }
  return told;
}

TEST(ActionPathTest, ScalesShiftsAndClips) {
  RobotSpec spec = OneJoint();
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0, 1.25, 1.25, 1.25, 1.25));
  spec.action_clip = 2.5;
  EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.5 + 0.25 * 2.5);
  spec.target_high = {0.9};
  EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.9);
}

TEST(ActionPathTest, AnActionActsAfterTheDelayAndTheDefaultPoseBefore) {
  RobotSpec spec = OneJoint();
  spec.action_delay = 1;
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0, 1.25, 1.25, 1.25));
  spec.action_delay = 4;  // a control step
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0, 1.0, 1.0));
  spec.action_delay = 6;
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0));
}

TEST(ActionPathTest, SmoothingKeepsAShareOfTheSmoothedActionBefore) {
  RobotSpec spec = OneJoint();
  spec.decimation = 1;
  spec.action_smoothing = 0.5;
  // 0.5 x 0 + 0.5 x 1, 0.5 x 0.5 + 0.5 x 2, 0.5 x 1.25 + 0.5 x 3
  EXPECT_THAT(TargetsOf(spec),
              ElementsAre(0.5 + 0.25 * 0.5, 0.5 + 0.25 * 1.25, 0.5 + 0.25 * 2.125));
}

TEST(ActionPathTest, TorquesAndSpeedsAreNoOffsetsFromTheDefaultPose) {
  RobotSpec spec = OneJoint();
  for (const ActuatorKind kind : {ActuatorKind::kTorque, ActuatorKind::kVelocity}) {
    spec.actuator.kind = {kind};
    EXPECT_DOUBLE_EQ(TargetsOf(spec).back(), 0.75);
  }
}

}  // namespace
}  // namespace gonogo::robot
