// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// Settings of the calibrated rule (docs/concepts/intervals.md); all of them belong into a
/// declaration.
struct CalibratedOptions {
  double level = 0.95;             ///< two-sided; GO bounds are one-sided at (1 - level) / 2
  ViolationClustering clustering;  ///< of violations within clusters
  double stable_share = 0.9;       ///< modal share below which the reference is called unstable
  double contending_share = 0.05;  ///< share from which an action counts as a possible reference
  /// With an unstable reference, require H_dep against every contender instead of against the
  /// one each replicate's training clusters choose.
  bool every_contender = false;
  double adapter_cost = 0.0;  ///< features and inference, per query, in units of the cost
  bool widen_upper = true;    ///< allow for selectors improving with more training clusters
  std::size_t halves = 200;   ///< random halves for Monte-Carlo error and flip rate

  bool operator==(const CalibratedOptions&) const = default;
};

/// One gain, with the bound each direction of the decision uses.
struct CalibratedGain {
  double point = 0.0;           ///< of the shipped adapter: of the refits, and `advantage`
  double se = 0.0;              ///< of upper bounds
  double shipped_se = 0.0;      ///< of the lower bound, which is about the shipped adapter alone
  double advantage = 0.0;       ///< of more training clusters
  stats::Interval interval;     ///< lower end: what GO needs above the threshold
  double refuting_upper = 0.0;  ///< what NO-GO needs below the threshold
  stats::Interval drop_one;     ///< range of the point without any single cluster
  double lower_mc_error = 0.0;  ///< Monte-Carlo standard deviation over bootstrap seeds
  double upper_mc_error = 0.0;
};

/// A rate, likewise.
struct CalibratedRate {
  double point = 0.0;
  double se = 0.0;
  double effective_queries = 0.0;
  double seen_icc = 0.0;        ///< intra-cluster correlation of the violations
  stats::Interval interval;     ///< upper end: what GO needs at or below kappa
  double refuting_lower = 0.0;  ///< what NO-GO needs above kappa
};

/// Everything the calibrated rule says about a selector. All gains are those of the adapter that
/// would be shipped, trained on every cluster, at queries of clusters not seen yet. A gain is
/// missing when it cannot be estimated (fewer than three clusters for allocation, fewer than two
/// for the others, a cluster no replicate held out); its channel is then unresolved.
struct CalibratedAudit : Decision {
  std::optional<CalibratedGain> h_total;
  std::optional<CalibratedGain> h_alloc;
  std::optional<CalibratedGain> h_dep;
  std::optional<CalibratedGain> h_alloc_within;
  std::optional<CalibratedGain> h_alloc_between;
  CalibratedRate q;
  ReferenceStability reference;
  double largest_cluster_share = 0.0;  ///< of the direct cost
  double flip_rate = 0.0;              ///< share of bootstrap seeds that would decide otherwise
};

/// The bounds it decides by; a missing gain is the whole line.
[[nodiscard]] RuleBounds BoundsOf(const CalibratedAudit& audit);

/// The calibrated rule from what is stored anyway: `folds` are the leave-one-cluster-out fits,
/// `replicates` the bootstrap refits. Choices that were given and not fitted are passed as one
/// replicate with multiplicity zero everywhere, for both. `stream` draws the halves.
///
/// GO: lower bounds of H_dep, H_alloc and H_total above delta_dep, delta_alloc and 0 and upper
/// bound of q at most kappa, each at alpha = (1 - level) / 2: an intersection, so no correction.
/// NO-GO: any of H_dep, H_alloc, q refuted at alpha / 3: a union. ABSTAIN otherwise.
/// Bootstrap refits see fewer distinct clusters than the shipped adapter, so gains are, if
/// anything, underestimated: upper bounds are raised by what the cross-fit gains on top of them,
/// lower bounds by the part of it that exceeds one standard error. H_dep is measured against the
/// fixed action that all clusters choose, which is what the adapter would replace; its upper bound
/// also allows for the actions that the replicates' training clusters choose.
[[nodiscard]] CalibratedAudit AuditCalibrated(
    const OutcomeTotals& totals, std::span<const Refit> folds, std::span<const Refit> replicates,
    const Thresholds& thresholds, const CalibratedOptions& options, const RngStream& stream);

}  // namespace gonogo::audit
