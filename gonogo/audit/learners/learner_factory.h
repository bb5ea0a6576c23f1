// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// The learner a protocol names, ready to be fitted to `problem`.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeLearner(const LearnerConfig& config,
                                                           const LearningProblem& problem);

}  // namespace gonogo::audit
