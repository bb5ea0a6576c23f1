// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gonogo/response/data/excitation_log.h"

namespace gonogo::response {

/// Control steps of one prediction of f_phi (0.32 s at 50 Hz) and between two window starts.
inline constexpr int kWindowSteps = 16;
/// Control steps of one macro step of F_eta, and of one high-level decision.
inline constexpr int kMacroSteps = 4;

/// What followed from a state in the next control steps. Heights, tilt and angular speed are those
/// of the states after each step; the state itself is where the candidate has changed nothing yet.
struct WindowOutcome {
  double dx = 0.0;  ///< displacement in the body frame (yaw only) of the first state, m
  double dy = 0.0;
  double dpsi = 0.0;     ///< change of yaw, summed step by step: no wrap at pi
  double effort = 0.0;   ///< mean over the steps
  double power_w = 0.0;  ///< mean over the steps
  double min_height_m = 0.0;
  double mean_height_m = 0.0;
  double min_height_W_m = 0.0;
  double mean_height_W_m = 0.0;
  double max_tilt_rad = 0.0;
  double max_angular_speed = 0.0;
};

/// Indices of the states that start a window: every `stride` steps from where a command begins, as
/// long as all `steps` steps got that command and ended in the same episode.
[[nodiscard]] std::vector<std::size_t> WindowStarts(const ExcitationLog& log, int steps,
                                                    int stride);

/// Outcome of the `steps` steps after state `first`, all of which must be in one episode.
[[nodiscard]] WindowOutcome MeasureWindow(const ExcitationLog& log, std::size_t first, int steps);

}  // namespace gonogo::response
