// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learner_factory.h"

#include "gonogo/audit/mlp_learner.h"

namespace gonogo::audit {

Result<std::unique_ptr<Learner>> MakeLearner(const LearnerConfig& config,
                                             const LearningProblem& problem) {
  switch (config.kind) {
    case LearnerKind::kRidge:
      return MakeRidgeLearner(problem, config.ridge);
    case LearnerKind::kMlp:
      return MakeMlpLearner(problem, config.mlp);
    case LearnerKind::kTrees:
      break;
  }
  return UsageError("this build has no learner '{}'", Name(config.kind));
}

}  // namespace gonogo::audit
