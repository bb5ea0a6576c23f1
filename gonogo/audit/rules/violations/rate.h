// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "gonogo/audit/protocol/rule_config.h"
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

/// A rate of queries lost less queries gained, which may be below zero: no count of events, so its
/// bounds come from its scatter over clusters.
struct NetRate {
  double point = 0.0;
  double se = 0.0;  ///< linearised over clusters
};

[[nodiscard]] NetRate EstimateNetRate(std::span<const ClusterEvents> clusters);

/// How far a bound lies from a net rate: `quantile` standard errors, and never less than what as
/// many queries without any event leave open (`BoundRate`): a table in which nothing changed must
/// not look certain.
[[nodiscard]] double NetMargin(std::span<const ClusterEvents> clusters, double alpha, double icc,
                               double se, double quantile);

/// The condition under which the upper bound of a violation rate holds, in a sentence, with the
/// correlation that was seen and the one that is assumed.
[[nodiscard]] std::string DescribeClustering(double seen_icc,
                                             const ViolationClustering& clustering);

}  // namespace gonogo::audit
