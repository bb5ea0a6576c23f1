// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/learner_config.h"

namespace gonogo::audit {

/// One boosted model per member and thing worth predicting (relative work and time by squared
/// error, eligibility by cross-entropy), from the query's features, the action as one-hot code and
/// the action features. Members resample training clusters: their spread is the uncertainty about
/// new clusters. Features must be finite.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeTreesLearner(const LearningProblem& problem,
                                                                const TreesOptions& options);

}  // namespace gonogo::audit
