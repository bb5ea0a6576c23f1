// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gonogo/calibrate/plan/plan.h"

namespace gonogo::calibrate::internal {

/// Evaluates `clusters` and then searches the fewest with 80 % and 90 % power up to `largest`,
/// assuming power grows with clusters: doubling from the fewest that can decide, then bisection to
/// within 5 %. Every point evaluated is reported.
[[nodiscard]] Result<Plan> BuildPlan(const std::vector<std::size_t>& clusters, std::size_t largest,
                                     Rule rule,
                                     const std::function<Result<PlanPoint>(std::size_t)>& evaluate);

}  // namespace gonogo::calibrate::internal
