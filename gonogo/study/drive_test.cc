// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include <gtest/gtest.h>

#include "gonogo/study/episode.h"
#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

constexpr double kQuarter = std::numbers::pi / 2.0;

TEST(DriveTest, AStraightCommandLeadsStraightAndATurningOneAroundACircle) {
  const robot::Pose2 straight = PoseAfter({{1.0, 2.0}, kQuarter}, {.vx = 0.5, .vy = 0.1}, 4.0);
  EXPECT_NEAR(straight.p_W.x, 1.0 - 0.4, 1e-12);  // left of a robot that looks along y
  EXPECT_NEAR(straight.p_W.y, 2.0 + 2.0, 1e-12);
  // A quarter of a circle of radius 1 m to the left.
  const robot::Pose2 turned = PoseAfter({{0.0, 0.0}, 0.0}, {.vx = kQuarter, .wz = kQuarter}, 1.0);
  EXPECT_NEAR(turned.p_W.x, 1.0, 1e-12);
  EXPECT_NEAR(turned.p_W.y, 1.0, 1e-12);
  EXPECT_NEAR(turned.yaw, kQuarter, 1e-12);
}

TEST(DriveTest, LastsAsLongAsAskedAndKeepsEveryStep) {
  const Scene scene = internal::StillGo2();
  sim::Start start;
  start.p_W = {0.0, 0.0, scene.robot.spawn_height_m};
  const Result<Drive> drive = RecordDrive(scene, {.vx = 0.5}, 1.5, start);
  ASSERT_TRUE(drive.ok()) << drive.error().message;
  const sim::EpisodeRecord& record = drive.value().record;
  EXPECT_EQ(record.steps(), 75);  // 50 Hz, whatever the task's horizon of 0.4 s
  EXPECT_DOUBLE_EQ(record.command.front().vx, 0.5);
  EXPECT_NEAR(record.target_W.x, 0.75, 1e-9);
  EXPECT_NEAR(drive.value().velocity[0], 0.0, 0.05);
  EXPECT_NEAR(record.result.final_distance_m, 0.75, 0.1);
  EXPECT_NEAR(record.result.time_s, 1.5, 1e-9);
}

}  // namespace
}  // namespace gonogo::study
