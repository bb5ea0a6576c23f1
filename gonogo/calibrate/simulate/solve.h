// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/trials/rules.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::calibrate {

/// A parameter of a world to be chosen so that the shipped adapters have `value` on average. The
/// quantity must be monotone in the parameter between `low` and `high`.
struct Target {
  double World::*parameter;
  double low;
  double high;
  Quantity quantity;
  double value;
};

struct SolveOptions {
  std::size_t trainings = 200;       ///< data sets averaged over, the same ones at every step
  std::size_t fresh_queries = 8192;  ///< for the truth of each
  int steps = 14;                    ///< of bisection
  double kappa = 0.05;
  LearnerFactory learner;
  audit::LearnerConfig models = {.kind = audit::LearnerKind::kRidge};  ///< for logs (thin.h)
};

/// Mean truth of the adapters shipped from `options.trainings` data sets of the world.
[[nodiscard]] Result<Truth> MeanShippedTruth(const World& world, const SolveOptions& options,
                                             const RngStream& stream, const Execution& execution);

/// The world with the parameter that meets the target, by bisection with common random numbers.
[[nodiscard]] Result<World> SolveWorld(const World& world, const Target& target,
                                       const SolveOptions& options, const RngStream& stream,
                                       const Execution& execution);

/// The part of the truth a target names; deployment is measured against the stable fixed action.
[[nodiscard]] double ValueOf(const Truth& truth, Quantity quantity);

}  // namespace gonogo::calibrate
