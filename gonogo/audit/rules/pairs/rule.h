// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/audit/rules/calibrated/rule.h"
#include "gonogo/audit/rules/pairs/channels.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/rules/violations/rate.h"

namespace gonogo::audit {

struct PairOptions {
  double level = 0.95;             ///< two-sided; GO bounds are one-sided at (1 - level) / 2
  ViolationClustering clustering;  ///< of violations within clusters
  double adapter_cost = 0.0;       ///< per query, charged to the selector
  bool noisy_fits = false;         ///< see `PairEstimate::ExpectInstability`: for H_alloc
};

/// A gain of the adapter that would ship.
struct PairGain {
  PairEstimate estimate;
  /// What training on all clusters instead of all but two seems to add, at least 0: twice what the
  /// folds, which lack one, gain on the fits without a pair. Added to upper bounds only.
  double learning = 0.0;
  double credit = 0.0;          ///< for that, to lower bounds against a fixed action (learning.h)
  stats::Interval interval;     ///< around `estimate.shipped`
  double refuting_upper = 0.0;  ///< what NO-GO needs below the threshold
};

/// Its violation rate.
struct PairRate {
  PairEstimate estimate;
  double seen_icc = 0.0;
  double effective_queries = 0.0;
  stats::Interval interval;
  double refuting_lower = 0.0;  ///< what NO-GO needs above kappa
};

/// What the leave-pair-out rule says.
struct PairAudit : Decision {
  PairGain h_dep;
  PairGain h_alloc;
  PairGain h_total;
  PairRate q;
  ActionIndex reference = kDirect;  ///< the fixed action that the adapter would replace
  double departs_more = 0.0;        ///< mean of the covariate: fits less the shipped adapter
  std::size_t fits = 0;             ///< without a pair
};

/// Raises upper ends to those of the calibrated rule on the same data where these are higher, and
/// decides again. Upper ends of gains are missed because fits without a pair lack two clusters; the
/// calibrated rule's allow for more. Of the two bounds of q the larger one counts because all wrong
/// GO of this rule alone were misses of q (docs/calibration.md).
void WidenUpperEnds(const CalibratedAudit& calibrated, const Thresholds& thresholds,
                    PairAudit& audit);

/// The bounds it decides by.
[[nodiscard]] RuleBounds BoundsOf(const PairAudit& audit);

/// The leave-pair-out rule (docs/concepts/intervals.md): every channel from the fits without a pair
/// of clusters, corrected for how often the shipped adapter acts. Directions and errors as in the
/// calibrated rule: GO needs all lower bounds of gains and the upper bound of q, NO-GO one channel
/// refuted at a third of the error. `folds`, the leave-one-cluster-out fits, and `replicates`, the
/// bootstrap refits, say how much more training clusters add; without replicates lower bounds get
/// no credit for it. Needs fits.
[[nodiscard]] PairAudit AuditPairs(const OutcomeTotals& totals, const PairFits& fits,
                                   std::span<const Refit> folds, std::span<const Refit> replicates,
                                   const Thresholds& thresholds, const PairOptions& options);

/// No more than this share of the standard error is credited to training that was not seen.
inline constexpr double kMostLearning = 0.25;

/// What the shipped adapter, trained on K clusters, gains on the fits without a pair, by the
/// learning curve that these and the bootstrap refits show: a gain that lacks a / n after training
/// on n different clusters lacks a (1/(K-2) - 1/K) here and a (1/m - 1/(K-2)) between the two,
/// where m is how many different clusters a refit sees on average. The curve is measured where it
/// is steep, so that its noise shrinks on the way: with 20 clusters to a quarter. At least 0, so
/// that nothing is taken off, and at most `kMostLearning` standard errors: where nothing varies the
/// curve has ended, whatever refits on fewer clusters do.
[[nodiscard]] double LearningCredit(double without_pair, double refits, std::size_t clusters,
                                    double se);

}  // namespace gonogo::audit
