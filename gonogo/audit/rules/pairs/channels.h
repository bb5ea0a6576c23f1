// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "gonogo/audit/refit/refit.h"

namespace gonogo::audit {

/// What the fits without a pair of clusters say about one quantity, in its own units. `value[b][i]`
/// is what cluster `pair[b][i]` contributes under the fit without that pair; means over fits are
/// taken here.
struct PairChannel {
  double point = 0.0;                        ///< over all clusters, each by the fits without it
  std::vector<double> score;                 ///< how the point moves with each cluster, K of them
  std::vector<std::array<double, 2>> value;  ///< one entry per pair
};

/// Which clusters each fit left out, and how much more often it departs from the reference than the
/// shipped adapter does, on the clusters both were trained on: no outcome enters.
struct PairDesign {
  std::size_t clusters = 0;
  std::vector<std::array<std::size_t, 2>> pair;
  std::vector<double> departs_more;  ///< x_b, a share of the queries
};

/// One quantity of the adapter that would ship (docs/concepts/intervals.md, leave-pair-out).
struct PairEstimate {
  double point = 0.0;        ///< of the fits without a pair
  double shipped = 0.0;      ///< H*: corrected for how much more or less the shipped adapter acts
  double testing = 0.0;      ///< T: variance of testing on K clusters
  double instability = 0.0;  ///< V: variance between fits beyond what their activity explains
  double instability_se = 0.0;  ///< s: standard error of V, a mean over fits
  double slope = 0.0;           ///< beta
  double correction = 0.0;      ///< S: variance of the correction

  /// Standard error around the shipped adapter's value.
  [[nodiscard]] double se() const;

  /// Takes for V its expectation given that it is not below zero, V + s phi(V/s) / Phi(V/s): where
  /// fits differ by chance, as forests do, V is below zero in half of the data sets, and counting
  /// it from 0 would halve their standard error.
  void ExpectInstability();
};

/// With J_k the number of fits without cluster k, `mean_k` over them, and x the covariate:
///   delta_bk = J_k / (J_k - 1) (value_bk - mean_k value)
///   y_b      = mean of the pair's two delta;  beta = least-squares slope of y on x
///   shipped  = point - beta mean(x)
///   T        = sum_k (score_k - mean score)^2 / (K (K - 1))
///   V        = mean_b prod_i (delta_b,i - beta (x_b - mean x)),  counted from 0 in the error
///   S        = s_res^2 mean(x)^2 / sum_b (x_b - mean x)^2
/// What training on a cluster does to the estimate and to the shipped adapter is the same in first
/// order and cancels; fits without a pair measure the rest. Needs every cluster in two pairs.
[[nodiscard]] PairEstimate EstimatePairs(const PairChannel& channel, const PairDesign& design);

/// What the leave-pair-out rule reads: the fits without a pair of clusters, and the one on all of
/// them, as `PairTasks` orders them. Must outlive whatever is made of it.
struct PairFits {
  std::span<const Refit> pairs = {};
  const Refit* shipped = nullptr;

  [[nodiscard]] bool empty() const { return pairs.empty() || shipped == nullptr; }
};

/// The last fit is the shipped one.
[[nodiscard]] PairFits SplitPairFits(std::span<const Refit> fits);

[[nodiscard]] PairDesign DesignOf(const OutcomeTotals& totals, const PairFits& fits);

/// 1 - W(pi) / W(action); `adapter_cost` per query is charged to the selector.
[[nodiscard]] PairChannel AgainstFixed(const OutcomeTotals& totals, const PairFits& fits,
                                       ActionIndex action, double adapter_cost);

/// 1 - W(pi) / W(mixture). The mixture of a held-out cluster has the frequencies that the same fit
/// shows in the other cluster of its pair.
[[nodiscard]] PairChannel AgainstMixture(const OutcomeTotals& totals, const PairFits& fits,
                                         double adapter_cost);

/// The violation rate.
[[nodiscard]] PairChannel Violations(const OutcomeTotals& totals, const PairFits& fits);

/// 1 - W(pi) / W(reference) where the fixed reference of every fit is the one that its own training
/// clusters choose under `kappa`. The action that all clusters choose looks cheaper on these
/// clusters than it will be on new ones, wherever several are nearly as good: against it the gain
/// is underestimated. This one has no such bias, and more noise.
[[nodiscard]] PairChannel AgainstChosen(const OutcomeTotals& totals, const PairFits& fits,
                                        double kappa, double adapter_cost);

}  // namespace gonogo::audit
