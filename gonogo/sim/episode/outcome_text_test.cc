// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/sim/episode/target_run.h"

namespace gonogo::sim {
namespace {

robot::RobotSpec Task() {
  robot::RobotSpec robot;
  robot.spawn_height_m = 0.4;  // 0.28 m needed at the end
  return robot;
}

TEST(OutcomeTextTest, SaysHowAnEpisodeEndedAndWhyItFailed) {
  EpisodeResult result{.reached = true, .success = true};
  EXPECT_EQ(OutcomeText(result, Task()), "reached the target");
  result = {.reached = true, .success = false, .final_height_m = 0.21};
  EXPECT_EQ(OutcomeText(result, Task()), "reached the target too low: 0.21 m, 0.28 m needed");
  result = {.time_s = 6.0, .final_distance_m = 0.7};  // the tolerance is 0.3 m
  EXPECT_EQ(OutcomeText(result, Task()), "stopped 0.4 m short when the time was over");
  result = {.termination = Termination::kForbiddenContact,
            .termination_detail = "12.0 N on a forbidden part",
            .time_s = 1.26};
  EXPECT_EQ(OutcomeText(result, Task()), "fell after 1.3 s: 12.0 N on a forbidden part");
  result = {.termination = Termination::kDiverged,
            .termination_detail = "a velocity is not finite at t = 0.100 s"};
  EXPECT_EQ(OutcomeText(result, Task()),
            "the physics blew up: a velocity is not finite at t = 0.100 s");
}

}  // namespace
}  // namespace gonogo::sim
