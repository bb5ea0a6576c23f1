// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/flags/simulated_learner.h"

#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::cli {

calibrate::LearnerFactory MakeLearnerFactory(const audit::LearnerConfig& config) {
  return
      [config](const audit::LearningProblem& problem) -> Result<std::unique_ptr<audit::Learner>> {
        const audit::LearningProblem aimed = GONOGO_TRY(audit::WithTarget(
            problem, problem.table().scored.has_value() ? audit::LearnerTarget::kDifference
                                                        : audit::TargetOf(config)));
        return audit::MakeLearner(config, aimed);
      };
}

}  // namespace gonogo::cli
