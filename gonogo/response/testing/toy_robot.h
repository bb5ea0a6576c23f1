// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "gonogo/base/rng.h"
#include "gonogo/response/data/excitation_file.h"

/// \file
/// What the tests of this folder share: a robot whose response to commands is known in closed form.

namespace gonogo::response::internal {

/// Observation: gravity (its first element is a hidden gait state), then the command, doubled.
inline robot::RobotSpec ToyRobot() {
  robot::RobotSpec robot;
  robot.name = "toy";
  robot.file = "toy/robot.toml";
  robot::ObservationTerm gravity;
  gravity.kind = robot::TermKind::kProjectedGravity;
  gravity.scale = {1.0, 1.0, 1.0};
  robot::ObservationTerm command;
  command.kind = robot::TermKind::kCommand;
  command.scale = {2.0, 2.0, 2.0};
  robot.observation = {gravity, command};
  robot.posture.nominal_height_m = 0.3;
  return robot;
}

/// Obeys at once; effort is 1 + vx², power ten times that; crouches by 0.05 |vy|; the first
/// observation element s walks by 0.1 vx per step.
inline ExcitationLog ToyLog(int episodes, int commands_per_episode, std::uint64_t seed) {
  const robot::RobotSpec robot = ToyRobot();
  ExcitationLog log = EmptyLog(robot);
  for (int e = 0; e < episodes; ++e) {
    Rng rng = RngStream(seed).Child(static_cast<std::uint64_t>(e)).Generator();
    LoggedState state;
    state.episode = e;
    double s = rng.Uniform(-1, 1);
    const double ground = rng.Uniform(-1, 1);
    const int steps = 25 * commands_per_episode;
    for (int t = 0; t <= steps; ++t) {
      if (t % 25 == 0) state.command = {rng.Uniform(-1, 1), rng.Uniform(-1, 1), rng.Uniform(-1, 1)};
      if (t == steps) state.command = {};
      const robot::Command c = state.command;
      state.effort = t < steps ? 1.0 + c.vx * c.vx : 0.0;
      state.power_w = 10.0 * state.effort;
      log.states.push_back(state);
      for (const double x : {s, 0.0, -1.0, 2 * c.vx, 2 * c.vy, 2 * c.wz}) {
        log.observations.push_back(static_cast<float>(x));
      }
      s += 0.1 * c.vx;
      state.pose.p_W = robot::TargetInWorld(state.pose, {0.02 * c.vx, 0.02 * c.vy});
      state.height_m = 0.3 - 0.05 * std::abs(c.vy);
      state.height_W_m = state.height_m + ground;
    }
  }
  return log;
}

}  // namespace gonogo::response::internal
