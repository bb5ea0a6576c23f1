// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "gonogo/base/result.h"
#include "gonogo/control/controller.h"
#include "gonogo/response/models/response_predictor.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// Viability-Gated Command Compensation: its scalars and its switches. Defaults are the paper's.
struct VgccConfig {
  double gain = 0.5;               ///< alpha in [0, 1]; 1 substitutes the command
  double anneal_distance_m = 0.5;  ///< the correction fades out linearly inside this distance
  double progress_floor = 0.9;     ///< beta in [0, 1]
  double cost_margin = 0.1;        ///< epsilon: a share, or in units of cost if `absolute_margin`

  // What the ablations switch.
  bool anneal = true;
  bool keep_progress = true;  ///< the progress floor
  bool keep_posture = true;   ///< posture eligibility
  bool rescue = true;
  bool restore = true;
  bool absolute_margin = false;
  bool cost_per_progress = false;  ///< rank by cost per predicted progress
  bool score_executed = false;     ///< predict the blended commands instead of the raw candidates
};

/// Fails on values outside their ranges, naming them as `vgcc.<key>`.
[[nodiscard]] Status Validate(const VgccConfig& config);

/// What the gate decides on. `responses[i]` belongs to `candidates[i]`; candidate `direct` is the
/// direct command.
struct GateInput {
  robot::Point2 goal_B;
  double height_m = 0.0;  ///< measured
  std::size_t direct = 0;
  std::span<const robot::Command> candidates;
  std::span<const response::Response> responses;
};

/// alpha_t: the gain, annealed to zero as the goal comes near.
[[nodiscard]] double AnnealedGain(const VgccConfig& config, robot::Point2 goal_B);

/// One decision (Algorithm 1). Depends on the candidates as a set: their order changes nothing,
/// ties are broken by the commands themselves.
[[nodiscard]] Decision ApplyGate(const VgccConfig& config, const robot::PostureSpec& posture,
                                 const GateInput& input);

}  // namespace gonogo::control
