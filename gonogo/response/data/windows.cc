// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/windows.h"

#include <algorithm>
#include <limits>

#include "gonogo/base/check.h"

namespace gonogo::response {

std::vector<std::size_t> WindowStarts(const ExcitationLog& log, int steps, int stride) {
  GONOGO_CHECK(steps > 0 && stride > 0);
  const auto length = static_cast<std::size_t>(steps);
  const auto& states = log.states;
  std::vector<std::size_t> starts;
  std::size_t begin = 0;  // of the run of one command in one episode
  while (begin < states.size()) {
    std::size_t end = begin;  // the state after the run's last step
    while (end + 1 < states.size() && states[end + 1].episode == states[begin].episode &&
           states[end].command == states[begin].command) {
      ++end;
    }
    for (std::size_t first = begin; first + length <= end;
         first += static_cast<std::size_t>(stride)) {
      starts.push_back(first);
    }
    // An episode's last state was left by no step; the next run starts behind it.
    const bool episode_over =
        end + 1 >= states.size() || states[end + 1].episode != states[end].episode;
    begin = episode_over ? end + 1 : end;
  }
  return starts;
}

WindowOutcome MeasureWindow(const ExcitationLog& log, std::size_t first, int steps) {
  const std::size_t last = first + static_cast<std::size_t>(steps);
  GONOGO_CHECK(last < log.size() && log.states[first].episode == log.states[last].episode);
  const LoggedState& start = log.states[first];
  WindowOutcome outcome;
  const robot::Point2 moved = robot::GoalInBody(start.pose, log.states[last].pose.p_W);
  outcome.dx = moved.x;
  outcome.dy = moved.y;
  outcome.min_height_m = std::numeric_limits<double>::infinity();
  outcome.min_height_W_m = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < last; ++i) {
    const LoggedState& step = log.states[i];
    const LoggedState& after = log.states[i + 1];
    outcome.dpsi += robot::WrapAngle(after.pose.yaw - step.pose.yaw);
    outcome.effort += step.effort;
    outcome.power_w += step.power_w;
    outcome.min_height_m = std::min(outcome.min_height_m, after.height_m);
    outcome.mean_height_m += after.height_m;
    outcome.min_height_W_m = std::min(outcome.min_height_W_m, after.height_W_m);
    outcome.mean_height_W_m += after.height_W_m;
    outcome.max_tilt_rad = std::max(outcome.max_tilt_rad, after.tilt_rad);
    outcome.max_angular_speed = std::max(outcome.max_angular_speed, after.angular_speed);
  }
  for (double* mean :
       {&outcome.effort, &outcome.power_w, &outcome.mean_height_m, &outcome.mean_height_W_m}) {
    *mean /= steps;
  }
  return outcome;
}

}  // namespace gonogo::response
