// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/simulated_learner.h"

#include "gonogo/audit/learner_factory.h"

namespace gonogo::cli {

calibrate::LearnerFactory LearnerByName(const std::string& name) {
  audit::LearnerConfig config;
  config.kind = name == "ridge" ? audit::LearnerKind::kRidge
                : name == "mlp" ? audit::LearnerKind::kMlp
                                : audit::LearnerKind::kTrees;
  return [config](const audit::LearningProblem& problem) {
    return audit::MakeLearner(config, problem);
  };
}

}  // namespace gonogo::cli
