// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/train/evaluate.h"

namespace gonogo::paper {

/// How one way of walking did.
struct PolicyScore {
  std::string name;
  train::WalkEvaluation evaluation;
  train::ScaleCost scale = {};
};

/// How well the frozen policy walks and reaches targets under direct control, with the success the
/// paper prints for its own policy on the robot of that name beside it.
[[nodiscard]] report::Section FrozenPolicySection(const std::string& robot,
                                                  const std::vector<PolicyScore>& scores,
                                                  const train::EvaluationOptions& options);

}  // namespace gonogo::paper
