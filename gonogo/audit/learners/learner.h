// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gonogo/adapter/gate.h"
#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/treatment_effect.h"
#include "gonogo/stats/cluster_split.h"

namespace gonogo::audit {

/// What an ensemble predicts for some queries and all K - 1 candidates: per member, what it learned
/// of work and time beside the reference's (`LearningProblem`) and the probability of being
/// eligible. Index (member * queries + query) * candidates + candidate, where candidate c is action
/// c + 1. `time` or `eligible` is empty when the table gives nothing to predict; that gate is then
/// void.
struct MemberPredictions {
  std::size_t members = 0;
  std::size_t queries = 0;
  std::size_t candidates = 0;
  std::vector<double> work;
  std::vector<double> time;
  std::vector<double> eligible;

  [[nodiscard]] std::size_t index(std::size_t member, std::size_t query,
                                  std::size_t candidate) const {
    return (member * queries + query) * candidates + candidate;
  }
};

/// The gate that the protocol's numbers make.
[[nodiscard]] adapter::Gate GateOf(const SelectorOptions& options, double time_limit);

/// What is predicted at one query; valid as long as the predictions are not resized.
[[nodiscard]] adapter::EffectView<double> EffectsAt(const MemberPredictions& predictions,
                                                    std::size_t query);

/// The conservative selector: among the candidates whose upper work bound is negative, whose upper
/// time bound is at most `time_limit` and whose lower eligibility bound is at least
/// `min_eligibility`, the one with the lowest upper work bound (lowest index on ties); direct when
/// there is none. `choices` has one slot per query (docs/concepts/audit.md, 9).
void SelectActions(const MemberPredictions& predictions, double time_limit,
                   const SelectorOptions& options, std::span<ActionIndex> choices);

/// Mean over members of the predicted work.
[[nodiscard]] double MeanWork(const MemberPredictions& predictions, std::size_t query,
                              std::size_t candidate);

/// What a treatment-effect learner learns from (docs/concepts/audit.md, 13): outcomes, and the
/// feature groups it may see.
/// A training row is a (query, candidate) pair; candidate c is action c + 1. The outcomes and
/// their table must outlive the problem and every learner made from it.
struct LearningProblem {
  const PotentialOutcomes* outcomes;
  std::vector<const FeatureGroup*> features;
  std::vector<const ActionFeatureGroup*> action_features;
  LearnerTarget target = LearnerTarget::kRatio;
  double work_unit = 1.0;    ///< of differences: the table's mean reference cost; only conditioning
  double time_unit = 1.0;    ///< and its mean reference time
  double cost_weight = 1.0;  ///< of the cost in a difference
  double success_price = 0.0;  ///< what a lost success adds to a difference, in units of the cost

  [[nodiscard]] const OutcomeTable& table() const { return *outcomes->table; }
  [[nodiscard]] std::size_t num_features() const;
  [[nodiscard]] std::size_t num_action_features() const;

  /// Time is worth predicting when it is recorded and decides eligibility.
  [[nodiscard]] bool predicts_time() const;
  /// Eligibility is worth predicting unless nothing could make an action ineligible.
  [[nodiscard]] bool predicts_eligibility() const;

  /// What is learned of the cost: below zero where the candidate is cheaper than a0.
  [[nodiscard]] double work_target(std::size_t query, std::size_t candidate) const;
  /// What is learned of the time: at most `time_limit()` where T(a) <= rho T(a0), so a difference
  /// is taken from the budget, T(a) - rho T(a0).
  [[nodiscard]] double time_target(std::size_t query, std::size_t candidate) const;
  [[nodiscard]] double time_limit() const;
  /// E(a).
  [[nodiscard]] double eligible(std::size_t query, std::size_t candidate) const;

  /// Writes the selected features of one query; `out` has `num_features()` slots.
  void CopyFeatures(std::size_t query, std::span<float> out) const;
  /// The same for what depends on the candidate; `out` has `num_action_features()` slots.
  void CopyActionFeatures(std::size_t query, std::size_t candidate, std::span<float> out) const;
};

/// Refuses a name that is no feature group of the table, suggesting the nearest one.
[[nodiscard]] Status CheckGroups(const OutcomeTable& table, std::span<const std::string> groups);

/// The problem of learning from the named groups of the table (all of them when `groups` is
/// empty), with the paper's target. Refuses an unknown name, suggesting the nearest one.
[[nodiscard]] Result<LearningProblem> SelectFeatures(const PotentialOutcomes& outcomes,
                                                     std::span<const std::string> groups);

/// The same problem with another target. Refuses outcomes that have no logarithm where one is asked
/// for.
[[nodiscard]] Result<LearningProblem> WithTarget(LearningProblem problem, LearnerTarget target);

/// The problem a learner is to solve: its groups of features, its target.
[[nodiscard]] Result<LearningProblem> MakeProblem(const PotentialOutcomes& outcomes,
                                                  const LearnerConfig& learner);

/// A fitted ensemble. Immutable, shared by threads.
class FittedLearner {
 public:
  FittedLearner() = default;
  FittedLearner(const FittedLearner&) = delete;
  FittedLearner& operator=(const FittedLearner&) = delete;
  virtual ~FittedLearner() = default;

  /// Predicts every member and candidate at `range`, resizing `predictions`.
  virtual void Predict(QueryRange range, MemberPredictions& predictions) const = 0;

  /// The same predictions as a network that can be deployed: equal up to the rounding of single
  /// precision.
  [[nodiscard]] virtual nn::EffectModel Describe() const = 0;
  /// What it does, one rule a line, where that can be said so; nothing for most.
  [[nodiscard]] virtual std::vector<std::string> Rules() const { return {}; }
};

/// A way to learn treatment effects. `Fit` is a pure function of the problem, the split and the
/// stream, and may be called from many threads at once.
class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  /// Trains on the clusters of `split` with their multiplicities; never looks at the others. Null
  /// when asked to stop before it was done: a fit of a large ensemble takes long enough for
  /// somebody to press Ctrl-C.
  [[nodiscard]] virtual std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                           const RngStream& stream,
                                                           const std::stop_token& stop) const = 0;
};

/// A network for this problem that has everything but its body. `eligibility` is what makes a
/// probability of the last output.
[[nodiscard]] nn::EffectModel StartEffectModel(const LearningProblem& problem, std::size_t members,
                                               nn::EffectLink eligibility);

/// Sizes `predictions` for the problem, leaving void outputs empty.
void ResizePredictions(const LearningProblem& problem, std::size_t members, std::size_t queries,
                       MemberPredictions& predictions);

}  // namespace gonogo::audit
