// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/evaluate.h"

namespace gonogo::train {

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
