// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/mlp_options.h"

namespace gonogo::audit {

/// Ridge regression with every action interacting (ridge_learner.h).
struct RidgeOptions {
  std::size_t members = 5;  ///< refitted on resampled training clusters
  /// Penalties tried, per training row and on standardised features; > 0. The best one is chosen
  /// for every output by cross-validation over the training clusters.
  std::vector<double> penalties = {0.01, 0.1, 1.0, 10.0, 100.0};
  std::size_t inner_folds = 5;

  bool operator==(const RidgeOptions&) const = default;
};

/// Gradient-boosted trees. The defaults are cautious for the few thousand rows an audit has.
struct TreesOptions {
  std::size_t members = 5;  ///< each fitted to resampled training clusters
  std::size_t rounds = 100;
  std::size_t depth = 3;
  double learning_rate = 0.1;

  bool operator==(const TreesOptions&) const = default;
};

/// Who predicts what each action would do.
enum class LearnerKind { kMlp, kRidge, kTrees };

struct LearnerConfig {
  LearnerKind kind = LearnerKind::kMlp;
  std::vector<std::string> features = {};  ///< groups it may see; empty: all
  MlpOptions mlp = {};
  RidgeOptions ridge = {};
  TreesOptions trees = {};

  bool operator==(const LearnerConfig&) const = default;
};

/// The conservative gate between predictions and a choice (selector.h).
struct SelectorOptions {
  double z = 1.0;                ///< bounds are mean +- z sd over members
  int ddof = 1;                  ///< of that sd; one member alone has sd 0
  double min_eligibility = 0.5;  ///< accepted when the lower estimate is at least this

  bool operator==(const SelectorOptions&) const = default;
};

}  // namespace gonogo::audit
