// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "gonogo/audit/learner.h"

namespace gonogo::audit {

/// Gradient-boosted trees. The defaults are cautious for the few thousand rows an audit has.
struct TreesOptions {
  std::size_t members = 5;  ///< each fitted to resampled training clusters
  std::size_t rounds = 100;
  std::size_t depth = 3;
  double learning_rate = 0.1;

  bool operator==(const TreesOptions&) const = default;
};

/// One boosted model per member and thing worth predicting (relative work and time by squared
/// error, eligibility by cross-entropy), from the query's features, the action as one-hot code and
/// the action features. Members resample training clusters: their spread is the uncertainty about
/// new clusters. Features must be finite.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeTreesLearner(const LearningProblem& problem,
                                                                const TreesOptions& options);

}  // namespace gonogo::audit
