// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/rules/calibrated/rate.h"

namespace gonogo::audit {

/// A rate of queries lost less queries gained, which may be below zero: no count of events, so its
/// bounds come from its scatter over clusters.
struct NetRate {
  double point = 0.0;
  double se = 0.0;  ///< linearised over clusters
};

[[nodiscard]] NetRate EstimateNetRate(std::span<const ClusterEvents> clusters);

/// How far a bound lies from a net rate: `quantile` standard errors, and never less than what as
/// many queries without any event leave open (upper_rate.h): a table in which nothing changed must
/// not look certain.
[[nodiscard]] double NetMargin(std::span<const ClusterEvents> clusters, double alpha, double icc,
                               double se, double quantile);

}  // namespace gonogo::audit
