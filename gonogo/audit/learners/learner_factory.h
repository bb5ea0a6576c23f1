// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// The learner a protocol names, ready to be fitted to `problem`.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeLearner(const LearnerConfig& config,
                                                           const LearningProblem& problem);

/// The same where features are categories or miss values: every fit learns from its own training
/// clusters how those become numbers (encoding.h), and the learner gets the numbers.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeEncodedLearner(const LearnerConfig& config,
                                                                  const LearningProblem& problem);

/// One boosted model per member and thing worth predicting (relative work and time by squared
/// error, eligibility by cross-entropy), from the query's features, the action as one-hot code and
/// the action features. Members resample training clusters: their spread is the uncertainty about
/// new clusters. Features must be finite.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeTreesLearner(const LearningProblem& problem,
                                                                const TreesOptions& options);

/// The paper's learner: an ensemble of small networks with one output per thing worth predicting
/// (relative work, relative time, eligibility), trained together by `nn/mlp/treatment_effect.h`.
[[nodiscard]] std::unique_ptr<Learner> MakeMlpLearner(const LearningProblem& problem,
                                                      const MlpOptions& options);

/// A forest of trees with one output per candidate and thing worth predicting: a leaf holds the
/// means of what every candidate costs (and takes, and how often it is eligible) beside the
/// reference, so one tree compares all of them at the same queries. Splits are chosen by the cost
/// alone. A member of the ensemble is a handful of trees on one bootstrap of the training clusters;
/// members differ by the clusters drawn, as those of the other learners do.
[[nodiscard]] std::unique_ptr<Learner> MakeForestLearner(const LearningProblem& problem,
                                                         const ForestOptions& options);

/// Ridge regression with full action interactions: every candidate has its own intercept and
/// slopes for relative work, relative time and eligibility (a linear probability, clipped to
/// [0, 1]). Fits are closed-form in sums that are taken once per cluster, so a refit never touches
/// a row. Members resample training clusters: their spread is the uncertainty about new clusters.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeRidgeLearner(const LearningProblem& problem,
                                                                const RidgeOptions& options);

/// An adapter to be read: a tree of two or three questions about the features whose leaves are
/// actions, chosen by what the policy itself saves on the training clusters (policy_search.h) and
/// not by how well anything is predicted. A broken constraint has a price while it is sought. The
/// gate is in the leaves: one departs from the reference only where its gain is `z` standard errors
/// over the training clusters above nothing. There is one member, so the selector adds no caution.
[[nodiscard]] std::unique_ptr<Learner> MakePolicyLearner(const LearningProblem& problem,
                                                         const PolicyOptions& options);

}  // namespace gonogo::audit
