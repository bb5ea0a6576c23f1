// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gonogo/base/rng.h"

namespace gonogo::stats {

/// A division of whole clusters into training and held out: how often each cluster is trained on.
/// The clusters with multiplicity zero are held out. Leave-one-out folds and bootstrap replicates
/// are the two kinds.
struct ClusterSplit {
  std::vector<std::uint32_t> multiplicity;

  [[nodiscard]] std::size_t num_clusters() const { return multiplicity.size(); }
  [[nodiscard]] bool is_held_out(std::size_t cluster) const { return multiplicity[cluster] == 0; }
  bool operator==(const ClusterSplit&) const = default;
};

/// Indices of the held-out clusters, ascending.
[[nodiscard]] std::vector<std::size_t> HeldOut(const ClusterSplit& split);

/// Trains once on every cluster but `left_out`.
[[nodiscard]] ClusterSplit LeaveOneOut(std::size_t num_clusters, std::size_t left_out);

/// Draws `num_clusters` clusters with replacement; draws again when none was left out, so that
/// there is always something to evaluate on. Needs at least two clusters.
[[nodiscard]] ClusterSplit BootstrapSplit(std::size_t num_clusters, const RngStream& stream);

/// Draws as many units as the multiplicities sum to, with replacement, each cluster weighted by its
/// multiplicity: resampling a training set in which clusters may repeat.
[[nodiscard]] std::vector<std::uint32_t> ResampleUnits(
    const std::vector<std::uint32_t>& multiplicity, Rng& rng);

}  // namespace gonogo::stats
