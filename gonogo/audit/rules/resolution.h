// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gonogo::audit {

/// Whether more clusters alone could move a bound over its threshold (docs/concepts/audit.md, 11).
enum class ResolutionStatus {
  kSatisfied,         ///< the bound is already on the GO side
  kNeeded,            ///< `clusters` would do, if the point estimate stayed where it is
  kPointNotOnGoSide,  ///< narrowing an interval around this point can never satisfy the channel
  kPointOnBoundary,   ///< no margin: no finite number of clusters
};

struct Resolution {
  ResolutionStatus status = ResolutionStatus::kPointNotOnGoSide;
  std::optional<std::size_t> clusters = {};  ///< for kSatisfied the present number
};

/// ceil(N (w / m)^2): the cluster count at which the limiting bound of a gain (its lower one)
/// reaches `threshold`, with w = |bound - point| and m = |point - threshold|. A planning
/// approximation that puts the bound on the threshold on average: a 50 % power figure.
[[nodiscard]] Resolution ResolveGain(double point, double lower, double threshold,
                                     std::size_t clusters);
/// The same for the upper bound of a violation rate.
[[nodiscard]] Resolution ResolveRate(double point, double upper, double threshold,
                                     std::size_t clusters);

/// "already satisfied", "needed", "point not on the GO side" or "point on the boundary".
[[nodiscard]] std::string_view Name(ResolutionStatus status);

}  // namespace gonogo::audit
