// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/protocol/rule_config.h"
#include "gonogo/audit/rules/calibrated/rate.h"

namespace gonogo::audit {

/// An upper bound of the rate at which events happen at new clusters, and what it saw.
struct UpperRate {
  double bound = 1.0;
  double seen_icc = 0.0;           ///< intra-cluster correlation of the events, at least 0
  double effective_queries = 0.0;  ///< of the Korn-Graubard part
};

/// The largest of three bounds, one-sided at `alpha`:
/// - Korn and Graubard's, with n_eff never above n / (1 + (m - 1) least_icc);
/// - the logit-normal one, which allows for clusters worse than any that was drawn;
/// - that of no event at all, n_eff = n / (1 + (m - 1) icc), so that a violation more never lowers
///   the bound below what none would give.
[[nodiscard]] UpperRate BoundRate(std::span<const ClusterEvents> clusters, double alpha,
                                  const ViolationClustering& clustering);

/// The same for the adapter that would ship, whose rate is `shift` above that of the selectors that
/// were counted, give or take a variance the clusters do not show: bound - rate and the root of
/// that variance are added as independent margins (Zou and Donner).
[[nodiscard]] double ShippedBound(double rate, double bound, double shift, double extra_variance,
                                  double quantile);

/// Intra-cluster correlation by the analysis-of-variance estimator, at least 0; 0 where every query
/// or none is an event, or all clusters have one query.
[[nodiscard]] double SeenIcc(std::span<const ClusterEvents> clusters);

}  // namespace gonogo::audit
