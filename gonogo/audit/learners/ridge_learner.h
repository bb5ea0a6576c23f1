// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/learner_config.h"

namespace gonogo::audit {

/// Ridge regression with full action interactions: every candidate has its own intercept and
/// slopes for relative work, relative time and eligibility (a linear probability, clipped to
/// [0, 1]). Fits are closed-form in sums that are taken once per cluster, so a refit never touches
/// a row. Members resample training clusters: their spread is the uncertainty about new clusters.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeRidgeLearner(const LearningProblem& problem,
                                                                const RidgeOptions& options);

}  // namespace gonogo::audit
