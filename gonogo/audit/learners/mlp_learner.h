// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/mlp_options.h"

namespace gonogo::audit {

/// The paper's learner: an ensemble of small networks with one output per thing worth predicting
/// (relative work, relative time, eligibility), trained together by `nn/mlp/treatment_effect.h`.
[[nodiscard]] std::unique_ptr<Learner> MakeMlpLearner(const LearningProblem& problem,
                                                      const MlpOptions& options);

}  // namespace gonogo::audit
