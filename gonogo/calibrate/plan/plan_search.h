// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gonogo/calibrate/plan/plan.h"

namespace gonogo::calibrate::internal {

/// Where power is wanted and where it is searched for.
struct PlanSearch {
  std::vector<std::size_t> clusters;  ///< counts to report on
  std::size_t fewest = 2;             ///< fewer give no decision
  std::size_t largest = 0;            ///< of the search; 0: no search
  Rule rule = Rule::kCalibrated;
};

/// Evaluates the counts wanted and then searches the fewest with 80 % and 90 % power, assuming
/// power grows with clusters: doubling from the fewest that can decide, then bisection to within
/// 5 %. Every point evaluated is reported; counts that cannot decide are reported as such.
[[nodiscard]] Result<Plan> BuildPlan(const PlanSearch& search,
                                     const std::function<Result<PlanPoint>(std::size_t)>& evaluate);

}  // namespace gonogo::calibrate::internal
