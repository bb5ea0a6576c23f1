// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "gonogo/audit/estimands/choice_totals.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/refit/gate.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/cluster_split.h"

namespace gonogo::audit {

/// One complete fit to make: who is trained on, and the stream that names its randomness.
struct RefitTask {
  stats::ClusterSplit split;
  RngStream stream;
  /// Also count, in every cluster, how often the selector departs from direct.
  bool counts_departures = false;
};

/// What came of it: the choices in every held-out cluster, ascending. Independent of all
/// thresholds; the fixed reference for any kappa follows from the split.
struct Refit {
  stats::ClusterSplit split;
  std::vector<ChoiceTotals> held_out;
  /// Queries of every cluster, trained on or not, at which the choice is not direct; empty unless
  /// the task asked for it. Choices only: no outcome enters.
  std::vector<std::uint32_t> departures = {};

  bool operator==(const Refit&) const = default;
};

/// An adapter fitted to the training clusters of a task: who predicts, and the gate between that
/// and a choice.
struct FittedAdapter {
  std::unique_ptr<FittedLearner> learner;
  SelectorOptions selector;

  /// Its choices at the queries of a cluster, of which nothing but features is looked at.
  [[nodiscard]] std::vector<ActionIndex> ChooseIn(const LearningProblem& problem,
                                                  std::size_t cluster) const;
};

/// Nothing when asked to stop before the fit was done.
[[nodiscard]] std::optional<FittedAdapter> FitAdapter(const LearningProblem& problem,
                                                      const Learner& learner,
                                                      const DeclaredGate& gate,
                                                      const RefitTask& task,
                                                      const std::stop_token& stop = {});

/// Fits on the split's training clusters and lets the selector choose in its held-out ones. Nothing
/// when asked to stop before the fit was done.
[[nodiscard]] std::optional<Refit> RunRefit(const LearningProblem& problem, const Learner& learner,
                                            const DeclaredGate& gate, const RefitTask& task,
                                            const std::stop_token& stop = {});

/// Where finished refits are kept, so that an interrupted run can go on. Both may be empty; `save`
/// is called from several threads at once. `identity` names what the fits are of, so that ranks of
/// a team can tell whether they fit the same.
struct RefitStore {
  std::function<std::optional<Refit>(std::size_t task)> load = {};
  std::function<Status(std::size_t task, const Refit&)> save = {};
  Identity identity = {};
};

/// Runs all tasks on `execution.jobs` threads and on the ranks of `execution.team`; the result
/// does not depend on how many, nor on which refits came from the store (one that is not of its
/// task is made again). Stops, also
/// within a fit, when asked to (`ErrorKind::kInterrupted`) and at the first refit that cannot be
/// saved.
[[nodiscard]] Result<std::vector<Refit>> RunRefits(const LearningProblem& problem,
                                                   const Learner& learner, const DeclaredGate& gate,
                                                   std::span<const RefitTask> tasks,
                                                   const RefitStore& store,
                                                   const Execution& execution);

}  // namespace gonogo::audit
