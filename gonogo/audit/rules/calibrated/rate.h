// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// Events among the queries of one cluster.
struct ClusterEvents {
  double queries = 0.0;
  double events = 0.0;
};

/// A rate with cluster-aware Clopper-Pearson bounds (Korn and Graubard;
/// docs/concepts/intervals.md).
struct RateEstimate {
  double point = 0.0;
  double se = 0.0;                 ///< linearised over clusters, at least the given floor
  double effective_queries = 0.0;  ///< independent queries that would carry as much information
  stats::Interval interval;        ///< each end one-sided at `alpha`
};

/// n_eff = clamp(q (1 - q) / se^2, K - 1, n) (t_{n-1} / t_{K-1})^2; bounds are Beta quantiles at
/// x = n_eff q events. K - 1 is what K clusters give whose queries all agree: however large
/// `se_floor`, two rare violations must not say less about the rate than none. When every query or
/// none is an event the clusters say nothing about their correlation: then
/// n_eff = n / (1 + (m - 1) icc) with m the size-weighted mean cluster size and a declared
/// intra-cluster correlation, so that no event never means no risk. Needs two clusters; with one
/// the interval is [0, 1]. `se_floor` is a standard error known from elsewhere, such as one that
/// includes refitting the learner.
[[nodiscard]] RateEstimate EstimateRate(std::span<const ClusterEvents> clusters, double alpha,
                                        double icc, double se_floor = 0.0);

}  // namespace gonogo::audit
