// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

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
  double slope = 0.0;        ///< beta
  double correction = 0.0;   ///< S: variance of the correction

  /// Standard error around the shipped adapter's value.
  [[nodiscard]] double se() const;
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

}  // namespace gonogo::audit
