// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/flags/simulated_learner.h"

#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::cli {

calibrate::LearnerFactory MakeLearnerFactory(const audit::LearnerConfig& config) {
  return [config](const audit::LearningProblem& problem) {
    return audit::MakeLearner(config, problem);
  };
}

}  // namespace gonogo::cli
