// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// What one held-out cluster of one replicate adds to a relative gain 1 - chosen / reference. The
/// scores are the same sums with everything that varies when the cluster is exchanged for another
/// one; they differ from the sums only where a comparator borrows from the other held-out clusters.
struct GainTerm {
  double chosen = 0.0;
  double reference = 0.0;
  double chosen_score = 0.0;
  double reference_score = 0.0;
};

/// The terms of all replicates: `terms[b][i]` belongs to `refits[b].held_out[i]`. A replicate
/// without terms takes no part.
struct GainTerms {
  std::span<const Refit> refits;
  std::vector<std::vector<GainTerm>> terms;
};

/// A leave-one-cluster-out-bootstrap gain: each cluster is judged by the replicates that were not
/// trained on it, and only by them (docs/concepts/intervals.md).
struct SmoothedGain {
  double point = 0.0;
  double se = 0.0;             ///< around such adapters in general: delta after the bootstrap
  double shipped_se = 0.0;     ///< around the one adapter that these clusters train
  double testing_se = 0.0;     ///< what testing on K clusters alone contributes to it
  double widest_se = 0.0;      ///< `se`, or with all that separates the replicates if that is more
  stats::Interval drop_one;    ///< range of the point when any single cluster is left out
  std::vector<double> scores;  ///< E_k of every cluster
};

/// The gain over the replicates named by `subset`, or nothing when some cluster was held out by
/// none of them, there are fewer than two clusters, or the reference costs nothing.
///
/// With rho = sum P_k / sum R_k over smoothed sums, scores z_bk = K (P_bk - rho R_bk) / sum R_j,
/// cluster means E_k and f = Pr[N_k = 0]:
///   D_k = (E_k - mean E) / K + cov_b(N_k, (1/K) sum_{j held out} (z_bj - E_j)) / f
///   SE^2 = K / (K - 1) (sum_k D_k^2 - Monte-Carlo variance), at least a quarter of the raw sum.
/// This is Efron and Tibshirani's delta-after-bootstrap with the covariance of N_k and the cluster
/// means E_j, which no learner enters, in closed form instead of by simulation.
///
/// That is how far the estimate moves when other clusters are drawn. The shipped adapter moves with
/// its training clusters too, in first order by the same psi_k, the second term of D_k: its gain is
/// missed only by what testing on K clusters, the part of psi_k that the adapter does not share,
/// and everything not linear in the clusters (gates that flip) add up to:
///   SE_shipped^2 = K / (K - 1) sum_k ((E_k - mean E) / K)^2 + L / 2 + 0.4 max(0, V - L),
/// where L = sum_k psi_k^2 without its Monte-Carlo part and V is the variance over replicates of
/// what their selectors achieve, from products of different held-out clusters of one replicate.
[[nodiscard]] std::optional<SmoothedGain> EstimateGain(const GainTerms& gain,
                                                       std::span<const std::size_t> subset);

/// By how much the cross-fitted selectors, trained on K - 1 clusters, beat the smoothed ones,
/// trained on about 0.63 K, beyond one standard error of the difference over clusters: what more
/// training clusters add, as far as the data are sure of it. At least 0.
[[nodiscard]] double CertainAdvantage(const SmoothedGain& smoothed, const SmoothedGain& cross_fit);

/// Probability that a bootstrap replicate of K clusters with at least one held out holds out a
/// given one.
[[nodiscard]] double HeldOutProbability(std::size_t clusters);

/// Random halves of `count` replicates, each ascending. A half drawn without replacement scatters
/// around the whole set with the variance with which another whole set would scatter around its
/// expectation, (s^2 / (B/2)) (1 - 1/2) = s^2 / B: what a decision does over the halves is what it
/// would do over bootstrap seeds, without a single refit (docs/concepts/intervals.md, flip rate).
[[nodiscard]] std::vector<std::vector<std::size_t>> RandomHalves(std::size_t count,
                                                                 std::size_t halves,
                                                                 const RngStream& stream);

/// 0, 1, ..., count - 1.
[[nodiscard]] std::vector<std::size_t> AllOf(std::size_t count);

}  // namespace gonogo::audit
