// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::train {

/// Where and how often a policy is tried.
struct EvaluationOptions {
  enum class Ground { kFlat, kRough, kGrid };
  Ground ground = Ground::kRough;        ///< the robot's random rough, or its grid of tile types
  double max_difficulty = 1.0;           ///< of grid tiles
  std::uint64_t first_seed = 1'000'000;  ///< training never draws terrain from these
  int terrain_seeds = 20;
  int commands = 10;  ///< constant commands per terrain seed
  double episode_s = 20.0;
  double settle_s = 1.0;  ///< of each episode not counted in the tracking error
  int trials = 2;         ///< episodes per terrain seed and target
  double stand_s = 5.0;   ///< one episode per terrain seed is told to stand for so long
  int jobs = 0;
};

/// Episodes of one target family under direct control.
struct TargetScore {
  int episodes = 0;
  int successes = 0;
  double cot_sum = 0.0;  ///< of all episodes, failed ones included
  [[nodiscard]] double rate() const { return episodes > 0 ? 1.0 * successes / episodes : 0.0; }
  /// Mean cost of transport: work at every physics step over weight times path.
  [[nodiscard]] double cot() const { return episodes > 0 ? cot_sum / episodes : 0.0; }
};

/// Errors are means over all control steps an episode was to have. A robot that fell follows
/// nothing from then on: its error is the whole command, so that falling never looks like tracking.
struct WalkEvaluation {
  double velocity_error = 0.0;  ///< m/s: mean planar distance from the command, step by step
  double yaw_error = 0.0;       ///< rad/s: mean absolute
  int episodes = 0;             ///< of constant commands
  int survived = 0;             ///< did not end before their time
  int stands = 0;               ///< episodes told to stand
  int stood = 0;                ///< of which did not end before their time
  double stand_power_w = 0.0;   ///< mean of the episodes told to stand, while they stood
  std::map<std::string, TargetScore> targets;  ///< by family of robot.toml

  [[nodiscard]] double survival() const { return episodes > 0 ? 1.0 * survived / episodes : 0.0; }
};

/// Tries a policy on held-out terrain. Every policy meets the same grounds, starts, commands and
/// targets; the result does not depend on `jobs`.
[[nodiscard]] Result<WalkEvaluation> Evaluate(const robot::RobotSpec& spec,
                                              std::shared_ptr<const robot::Policy> policy,
                                              const EvaluationOptions& options);

/// What walking slower saves: direct control to a family of targets, once with its commands as they
/// are and once scaled, from the same starts.
struct ScaleCost {
  static constexpr double kScale = 0.75;
  static constexpr double kDifficulty = 0.147;  ///< of the stairs: those of docs/reproduction.md
  int episodes = 0;                             ///< of each of the two
  double cot_full = 0.0;                        ///< mean cost of transport
  double cot_scaled = 0.0;

  [[nodiscard]] double ratio() const { return cot_full > 0.0 ? cot_scaled / cot_full : 0.0; }
};

/// On low pyramid stairs, with the seeds, trials and jobs of `options`; the family is "harder", or
/// the robot's first one. The result does not depend on `jobs`.
[[nodiscard]] Result<ScaleCost> CompareScales(const robot::RobotSpec& spec,
                                              const std::shared_ptr<const robot::Policy>& policy,
                                              const EvaluationOptions& options);

}  // namespace gonogo::train
