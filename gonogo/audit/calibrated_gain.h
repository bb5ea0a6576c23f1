// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gonogo/audit/refit.h"
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
  double se = 0.0;           ///< delta after the bootstrap, Monte-Carlo part removed
  stats::Interval drop_one;  ///< range of the point when any single cluster is left out
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
[[nodiscard]] std::optional<SmoothedGain> EstimateGain(const GainTerms& gain,
                                                       std::span<const std::size_t> subset);

/// Probability that a bootstrap replicate of K clusters with at least one held out holds out a
/// given one.
[[nodiscard]] double HeldOutProbability(std::size_t clusters);

}  // namespace gonogo::audit
