// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gonogo/audit/learner.h"

namespace gonogo::audit {

struct RidgeOptions {
  std::size_t members = 5;  ///< refitted on resampled training clusters
  /// Penalties tried, per training row and on standardised features; > 0. The best one is chosen
  /// for every output by cross-validation over the training clusters.
  std::vector<double> penalties = {0.01, 0.1, 1.0, 10.0, 100.0};
  std::size_t inner_folds = 5;

  bool operator==(const RidgeOptions&) const = default;
};

/// Ridge regression with full action interactions: every candidate has its own intercept and
/// slopes for relative work, relative time and eligibility (a linear probability, clipped to
/// [0, 1]). Fits are closed-form in sums that are taken once per cluster, so a refit never touches
/// a row. Members resample training clusters: their spread is the uncertainty about new clusters.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeRidgeLearner(const LearningProblem& problem,
                                                                const RidgeOptions& options);

}  // namespace gonogo::audit
