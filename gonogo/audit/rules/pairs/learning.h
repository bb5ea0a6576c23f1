// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::audit {

/// With fewer clusters a bootstrap refit sees about as many different ones as a fit without a pair,
/// and there is no learning curve between the two to read off.
inline constexpr std::size_t kFewestForLearning = 12;

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
