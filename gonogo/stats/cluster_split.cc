// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/cluster_split.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::stats {

std::vector<std::size_t> HeldOut(const ClusterSplit& split) {
  std::vector<std::size_t> held_out;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (split.is_held_out(k)) held_out.push_back(k);
  }
  return held_out;
}

ClusterSplit LeaveOneOut(std::size_t num_clusters, std::size_t left_out) {
  GONOGO_CHECK(left_out < num_clusters);
  ClusterSplit split{std::vector<std::uint32_t>(num_clusters, 1)};
  split.multiplicity[left_out] = 0;
  return split;
}

ClusterSplit BootstrapSplit(std::size_t num_clusters, const RngStream& stream) {
  GONOGO_CHECK(num_clusters >= 2);
  Rng rng = stream.Generator();
  const std::vector<std::uint32_t> each_once(num_clusters, 1);
  while (true) {
    ClusterSplit split{ResampleUnits(each_once, rng)};
    if (std::count(split.multiplicity.begin(), split.multiplicity.end(), 0U) > 0) return split;
  }
}

std::vector<std::uint32_t> ResampleUnits(const std::vector<std::uint32_t>& multiplicity, Rng& rng) {
  std::vector<std::size_t> units;
  for (std::size_t k = 0; k < multiplicity.size(); ++k) {
    units.insert(units.end(), multiplicity[k], k);
  }
  std::vector<std::uint32_t> drawn(multiplicity.size(), 0);
  for (std::size_t i = 0; i < units.size(); ++i) ++drawn[units[rng.Below(units.size())]];
  return drawn;
}

}  // namespace gonogo::stats
