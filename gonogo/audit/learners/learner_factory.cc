// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/learner_factory.h"

#include "gonogo/audit/learners/encoding.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {

Result<std::unique_ptr<Learner>> MakeLearner(const LearnerConfig& config,
                                             const LearningProblem& problem) {
  if (NeedsEncoding<FeatureGroup>(problem.features) ||
      NeedsEncoding<ActionFeatureGroup>(problem.action_features)) {
    return MakeEncodedLearner(config, problem);
  }
  switch (config.kind) {
    case LearnerKind::kRidge:
      return MakeRidgeLearner(problem, config.ridge);
    case LearnerKind::kMlp:
      return MakeMlpLearner(problem, config.mlp);
    case LearnerKind::kTrees:
      return MakeTreesLearner(problem, config.trees);
    case LearnerKind::kForest:
      return MakeForestLearner(problem, config.forest);
    case LearnerKind::kPolicy:
      return MakePolicyLearner(problem, config.policy);
  }
  GONOGO_CHECK(false);
}

}  // namespace gonogo::audit
