// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
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

/// Leave-one-cluster-out folds for the point estimates (task k leaves out cluster k;
/// docs/concepts/audit.md, 14).
[[nodiscard]] std::vector<RefitTask> CrossFitTasks(std::size_t num_clusters, const RngStream& run);
/// `refits` cluster-bootstrap replicates for the intervals (docs/concepts/intervals.md).
[[nodiscard]] std::vector<RefitTask> BootstrapTasks(std::size_t num_clusters, std::size_t refits,
                                                    const RngStream& run);

/// Fits on the split's training clusters and lets the selector choose in its held-out ones. Nothing
/// when asked to stop before the fit was done.
[[nodiscard]] std::optional<Refit> RunRefit(const LearningProblem& problem, const Learner& learner,
                                            const Gate& gate, const RefitTask& task,
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
                                                   const Learner& learner, const Gate& gate,
                                                   std::span<const RefitTask> tasks,
                                                   const RefitStore& store,
                                                   const Execution& execution);

}  // namespace gonogo::audit
