// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace gonogo::audit {

/// Over which queries the matched mixture copies the selector's action frequencies.
enum class Mixture {
  kWithinCluster,  ///< in each held-out cluster on its own
  kPooled,         ///< in all held-out queries together: also credits differences between clusters
};

/// How the folds of a cross-fit become one number.
enum class Aggregate {
  kRatioOfSums,   ///< of all held-out queries together
  kMeanOfRatios,  ///< one ratio per fold, then their mean: ruined by one cheap or heavy fold
};

/// How intervals are made.
enum class IntervalMethod {
  kRefit,  ///< cluster bootstrap with a complete refit each, evaluated out of bag
  kFolds,  ///< resampled sums of fitted leave-one-out folds: descriptive only
};

struct BootstrapConfig {
  IntervalMethod method = IntervalMethod::kRefit;
  std::size_t refits = 200;
  double level = 0.95;
  std::uint64_t seed = 20260717;
  Mixture mixture = Mixture::kWithinCluster;
  Aggregate aggregate = Aggregate::kRatioOfSums;  ///< the other only with kFolds

  bool operator==(const BootstrapConfig&) const = default;
};

}  // namespace gonogo::audit
