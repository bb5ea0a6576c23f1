// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gonogo/audit/refit/refit.h"

namespace gonogo::audit {

/// Rounds of the leave-pair-out rule: more gave the same bounds in simulations, at more cost.
inline constexpr std::size_t kPairRounds = 12;

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

}  // namespace gonogo::audit
