// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gonogo::audit {

/// What a member of the ensemble is trained on.
enum class MemberResampling {
  kClusters,  ///< a bootstrap of the training clusters, drawn once
  kQueries,   ///< a bootstrap of the training queries, drawn once
  kNone,      ///< everything: members differ by initialisation and order only
};

/// How relative work and time are regressed.
enum class RegressionLoss { kSquaredError, kSmoothL1 };

/// Rows of a batch that no table exceeds: full-batch training.
inline constexpr std::size_t kWholeTable = 1'000'000'000;

/// The paper's treatment-effect learner: five members, two hidden layers of 64, 200 epochs.
struct MlpOptions {
  std::size_t members = 5;
  std::vector<int> hidden = {64, 64};
  std::size_t epochs = 200;
  std::size_t batch_rows = 256;  ///< (query, candidate) rows per step
  double learning_rate = 1e-3;
  double weight_decay = 1e-4;
  bool standardise_targets = true;  ///< relative work and time; else the BCE drowns them
  RegressionLoss loss = RegressionLoss::kSquaredError;
  MemberResampling resample = MemberResampling::kClusters;

  bool operator==(const MlpOptions&) const = default;
};

/// Ridge regression with every action interacting (`MakeRidgeLearner`).
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

/// A forest of trees that compare all actions in every leaf (`MakeForestLearner`).
struct ForestOptions {
  std::size_t members = 20;          ///< each on its own resample of the training clusters
  std::size_t trees = 5;             ///< of every member
  std::size_t min_leaf = 5;          ///< fewest training queries in a leaf
  std::size_t depth = 32;            ///< most splits from root to leaf
  double feature_share = 1.0 / 3.0;  ///< of the features tried at a split
  std::size_t bins = 32;             ///< most values of a feature that are told apart

  bool operator==(const ForestOptions&) const = default;
};

/// A tree of a few questions whose leaves are actions (`MakePolicyLearner`).
struct PolicyOptions {
  std::size_t depth = 2;      ///< most questions from root to leaf
  std::size_t bins = 16;      ///< most values of a feature that are told apart
  std::size_t min_leaf = 10;  ///< fewest training queries in a leaf
  double z = 1.0;             ///< a leaf departs where its gain is so many standard errors above 0
  double violation_price = 1.0;  ///< of a broken constraint, in units of the target

  bool operator==(const PolicyOptions&) const = default;
};

/// Who predicts what each action would do.
enum class LearnerKind { kMlp, kRidge, kTrees, kForest, kPolicy };

/// How an action is compared with the reference a0 before it is learned; below zero is cheaper in
/// each of them. Estimands are ratios of sums, so a query counts there by what it costs: as it does
/// in a difference, while a ratio counts every query alike, however little its reference costs.
enum class LearnerTarget {
  kRatio,       ///< W(a) / W(a0) - 1, the paper's
  kDifference,  ///< W(a) - W(a0), in units of the mean reference cost
  kLog,         ///< log W(a) - log W(a0)
};

struct LearnerConfig {
  LearnerKind kind = LearnerKind::kMlp;
  std::optional<LearnerTarget> target = {};  ///< none: the learner's own (`TargetOf`)
  std::vector<std::string> features = {};    ///< groups it may see; empty: all
  std::size_t levels = 12;  ///< of a category that get a column of their own, the most frequent
  MlpOptions mlp = {};
  RidgeOptions ridge = {};
  TreesOptions trees = {};
  ForestOptions forest = {};
  PolicyOptions policy = {};

  bool operator==(const LearnerConfig&) const = default;
};

/// What the learner learns when nobody says otherwise.
[[nodiscard]] LearnerTarget OwnTarget(LearnerKind kind);

/// What the learner learns.
[[nodiscard]] LearnerTarget TargetOf(const LearnerConfig& learner);

/// The conservative gate between predictions and a choice (`SelectActions`).
struct SelectorOptions {
  double z = 1.0;                ///< bounds are mean +- z sd over members
  int ddof = 1;                  ///< of that sd; one member alone has sd 0
  double min_eligibility = 0.5;  ///< accepted when the lower estimate is at least this
  double violation_share =
      0.0;  ///< of kappa that choices may be expected to break; 0: any (gate.h)
  double min_departures = 0.01;  ///< share of the queries below which a warning is given

  bool operator==(const SelectorOptions&) const = default;
};

}  // namespace gonogo::audit
