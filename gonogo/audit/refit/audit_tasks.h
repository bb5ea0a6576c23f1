// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gonogo/audit/protocol/deciding_rule.h"
#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/refit/refit.h"

namespace gonogo::audit {

/// Leave-one-cluster-out folds for the point estimates (task k leaves out cluster k;
/// docs/concepts/audit.md, 14).
[[nodiscard]] std::vector<RefitTask> CrossFitTasks(std::size_t num_clusters, const RngStream& run);
/// `refits` cluster-bootstrap replicates for the intervals (docs/concepts/intervals.md).
[[nodiscard]] std::vector<RefitTask> BootstrapTasks(std::size_t num_clusters, std::size_t refits,
                                                    const RngStream& run);

using ClusterPair = std::array<std::size_t, 2>;  ///< ascending

/// `rounds` rounds of a tournament in which every cluster meets another one, over clusters in
/// random order: nobody meets the same one twice. With an odd number of clusters one sits out each
/// round. All pairs when there are fewer rounds than asked for.
[[nodiscard]] std::vector<ClusterPair> RoundRobinPairs(std::size_t num_clusters, std::size_t rounds,
                                                       const RngStream& stream);

/// One fit without each pair, then one on all clusters: the adapter that would ship, which holds
/// nothing out (docs/concepts/intervals.md, leave-pair-out). Needs at least four clusters, so that
/// every cluster is left out more than once; no task with fewer.
[[nodiscard]] std::vector<RefitTask> PairTasks(std::size_t num_clusters, const RngStream& run);

/// The stream of the adapter that would ship, trained on all clusters.
[[nodiscard]] RngStream ShippedStream(const Protocol& protocol);

/// Everything that an audit of so many clusters fits: folds, then bootstrap replicates unless
/// intervals come from the folds alone, then `PairTasks` where the leave-pair-out rule decides.
[[nodiscard]] std::vector<RefitTask> AuditTasks(const Circumstances& circumstances,
                                                const Protocol& protocol);

[[nodiscard]] std::vector<RefitTask> AuditTasks(const AskedProblem& asked,
                                                const Protocol& protocol);

/// The fits behind an audit, by what they are for.
struct AuditFits {
  std::vector<Refit> folds;       ///< leave-one-cluster-out: the point estimates
  std::vector<Refit> replicates;  ///< bootstrap refits: the intervals
  std::vector<Refit> pairs;       ///< without pairs of clusters, then the shipped one
};

/// The refits of `AuditTasks`, in their order, taken apart.
[[nodiscard]] AuditFits SplitFits(std::vector<Refit> refits, std::size_t num_clusters,
                                  const Protocol& protocol);

/// The second step of an audit, after `AskedProblem::Open`: makes all fits, or finds them in the
/// store. Task i of it is fit i of `AuditTasks`.
[[nodiscard]] Result<AuditFits> FitAudit(const AskedProblem& asked, const Protocol& protocol,
                                         const RefitStore& store, const Execution& execution);

}  // namespace gonogo::audit
