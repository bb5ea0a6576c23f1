// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/windows.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace gonogo::response {
namespace {

/// An episode of `steps` steps; the command changes every `hold` steps.
void AddEpisode(int steps, int hold, ExcitationLog& log) {
  const std::int32_t episode = log.states.empty() ? 0 : log.states.back().episode + 1;
  for (int t = 0; t <= steps; ++t) {
    LoggedState state;
    state.episode = episode;
    const int commands_before = t / hold;
    if (t < steps) state.command.vx = 1.0 + commands_before;
    log.states.push_back(state);
  }
}

TEST(WindowsTest, ACommandOfTwentyFiveStepsHoldsThreeWindowsOfSixteen) {
  ExcitationLog log;
  AddEpisode(50, 25, log);
  EXPECT_EQ(WindowStarts(log, 16, 4), (std::vector<std::size_t>{0, 4, 8, 25, 29, 33}));
}

TEST(WindowsTest, ACommandOfTwentyFiveStepsHoldsSixMacroSteps) {
  ExcitationLog log;
  AddEpisode(25, 25, log);
  EXPECT_EQ(WindowStarts(log, 4, 4), (std::vector<std::size_t>{0, 4, 8, 12, 16, 20}));
}

TEST(WindowsTest, AWindowMayEndInTheLastStateOfItsEpisodeButNotBeyond) {
  ExcitationLog log;
  AddEpisode(16, 25, log);  // a fall after 16 steps leaves one window …
  AddEpisode(15, 25, log);  // … after 15 none
  AddEpisode(16, 25, log);
  EXPECT_EQ(WindowStarts(log, 16, 4), (std::vector<std::size_t>{0, 17 + 16}));
}

TEST(WindowsTest, NoWindowStraddlesTwoCommandsOrTwoEpisodes) {
  ExcitationLog log;
  for (const int steps : {3, 1, 40, 25, 7, 100, 61}) AddEpisode(steps, 25, log);
  for (const std::size_t first : WindowStarts(log, 5, 2)) {
    for (std::size_t i = first; i < first + 5; ++i) {
      EXPECT_EQ(log.states[i].command, log.states[first].command);
      EXPECT_EQ(log.states[i + 1].episode, log.states[first].episode);
    }
  }
}

TEST(WindowsTest, AnEmptyLogHasNoWindows) { EXPECT_TRUE(WindowStarts({}, 16, 4).empty()); }

/// A robot that walks 0.01 m per step to its own left while turning 0.2 rad per step.
ExcitationLog WalkSideways(double yaw) {
  ExcitationLog log;
  LoggedState state;
  state.pose.yaw = yaw;
  for (int t = 0; t <= 4; ++t) {
    state.height_m = 0.3 - 0.01 * t;
    state.height_W_m = 1.0 + 0.1 * t;
    state.effort = t;
    state.power_w = 10.0 * t;
    state.tilt_rad = 0.1 * t * (4 - t);
    state.angular_speed = 7.0 - t;
    log.states.push_back(state);
    state.pose.p_W.x -= 0.01 * std::sin(yaw);
    state.pose.p_W.y += 0.01 * std::cos(yaw);
    state.pose.yaw = robot::WrapAngle(state.pose.yaw + 0.2);
  }
  return log;
}

TEST(WindowsTest, OutcomesMatchAHandWorkedWalk) {
  const WindowOutcome outcome = MeasureWindow(WalkSideways(0.5), 0, 4);
  EXPECT_NEAR(outcome.dx, 0.0, 1e-15);
  EXPECT_NEAR(outcome.dy, 0.04, 1e-15);
  EXPECT_NEAR(outcome.dpsi, 0.8, 1e-12);
  EXPECT_NEAR(outcome.effort, 1.5, 1e-12);  // steps 0, 1, 2, 3
  EXPECT_NEAR(outcome.power_w, 15.0, 1e-12);
  EXPECT_NEAR(outcome.min_height_m, 0.26, 1e-12);
  EXPECT_NEAR(outcome.mean_height_m, 0.275, 1e-12);  // states 1, 2, 3, 4
  EXPECT_NEAR(outcome.min_height_W_m, 1.1, 1e-12);
  EXPECT_NEAR(outcome.mean_height_W_m, 1.25, 1e-12);
  EXPECT_NEAR(outcome.max_tilt_rad, 0.4, 1e-12);
  EXPECT_NEAR(outcome.max_angular_speed, 6.0, 1e-12);
}

TEST(WindowsTest, OutcomesDoNotDependOnTheHeadingNorOnTheWrapOfYaw) {
  const WindowOutcome straight = MeasureWindow(WalkSideways(0.0), 0, 4);
  for (const double yaw : {-3.0, 1.7, std::numbers::pi - 0.3, 3.1}) {
    const WindowOutcome turned = MeasureWindow(WalkSideways(yaw), 0, 4);
    EXPECT_NEAR(turned.dx, straight.dx, 1e-12);
    EXPECT_NEAR(turned.dy, straight.dy, 1e-12);
    EXPECT_NEAR(turned.dpsi, straight.dpsi, 1e-12);
  }
}

}  // namespace
}  // namespace gonogo::response
