// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/cluster_split.h"

namespace gonogo::audit {

/// A tree of at most three questions that imitates an adapter.
struct DistilledTree {
  std::vector<ActionIndex> choices;  ///< at every query
  std::vector<std::string> rules;    ///< in words, one a line
};

/// Grows it on the training clusters of `split` to choose there as `choices` does, one of them for
/// every query, most of all where the actions differ much. Choices of other clusters do not enter.
[[nodiscard]] DistilledTree Distil(const LearningProblem& problem,
                                   std::span<const ActionIndex> choices,
                                   const stats::ClusterSplit& split, const RngStream& stream);

}  // namespace gonogo::audit
