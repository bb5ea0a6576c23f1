// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/simulate/shipped.h"

namespace gonogo::calibrate {

/// A parameter of a world to be chosen so that the shipped adapters have `value` on average. The
/// quantity must be monotone in the parameter between `low` and `high`.
struct SolveTarget {
  double SyntheticWorld::*parameter;
  double low;
  double high;
  Quantity quantity;
  double value;
};

struct SolveOptions {
  std::size_t trainings = 200;       ///< data sets averaged over, the same ones at every step
  std::size_t fresh_queries = 8192;  ///< for the truth of each
  int steps = 14;                    ///< of bisection
  audit::Protocol protocol = {.learner = {.kind = audit::LearnerKind::kRidge}};
};

/// Mean truth of the adapters shipped from `options.trainings` data sets of the world.
[[nodiscard]] Result<Truth> MeanShippedTruth(const SyntheticWorld& world,
                                             const SolveOptions& options, const RngStream& stream,
                                             const Execution& execution);

/// The world with the parameter that meets the target, by bisection with common random numbers.
[[nodiscard]] Result<SyntheticWorld> SolveWorld(const SyntheticWorld& world,
                                                const SolveTarget& target,
                                                const SolveOptions& options,
                                                const RngStream& stream,
                                                const Execution& execution);

}  // namespace gonogo::calibrate
