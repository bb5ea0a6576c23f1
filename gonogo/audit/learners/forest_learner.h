// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit {

/// A forest of trees with one output per candidate and thing worth predicting: a leaf holds the
/// means of what every candidate costs (and takes, and how often it is eligible) beside the
/// reference, so one tree compares all of them at the same queries. Splits are chosen by the cost
/// alone. A member of the ensemble is a handful of trees on one bootstrap of the training clusters;
/// members differ by the clusters drawn, as those of the other learners do.
[[nodiscard]] std::unique_ptr<Learner> MakeForestLearner(const LearningProblem& problem,
                                                         const ForestOptions& options);

}  // namespace gonogo::audit
