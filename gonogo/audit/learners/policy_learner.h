// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit {

/// An adapter to be read: a tree of two or three questions about the features whose leaves are
/// actions, chosen by what the policy itself saves on the training clusters (policy_search.h) and
/// not by how well anything is predicted. A broken constraint has a price while it is sought. The
/// gate is in the leaves: one departs from the reference only where its gain is `z` standard errors
/// over the training clusters above nothing. There is one member, so the selector adds no caution.
[[nodiscard]] std::unique_ptr<Learner> MakePolicyLearner(const LearningProblem& problem,
                                                         const PolicyOptions& options);

}  // namespace gonogo::audit
