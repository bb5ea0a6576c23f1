// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/solve.h"

#include <optional>
#include <vector>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/calibrate/trials/thin.h"

namespace gonogo::calibrate {

double ValueOf(const Truth& truth, Quantity quantity) {
  switch (quantity) {
    case Quantity::kDeployment:
      return truth.h_dep;
    case Quantity::kAllocation:
      return truth.h_alloc;
    case Quantity::kViolation:
      return truth.q;
    case Quantity::kTotal:
      break;
  }
  return truth.h_total;
}

Result<Truth> MeanShippedTruth(const World& world, const SolveOptions& options,
                               const RngStream& stream, const Execution& execution) {
  const FreshQueries fresh = DrawFreshQueries(world, options.fresh_queries, stream.Child("fresh"));
  std::vector<std::optional<Result<Truth>>> truths(options.trainings);
  ParallelFor(execution.jobs, truths.size(), [&](std::size_t r) {
    if (execution.stop.stop_requested()) return;
    const RngStream data = stream.Child("training").Child(r);
    const Result<audit::OutcomeTable> table =
        Observe(world, DrawTable(world, data.Child("table")), options.models, data.Child("log"));
    truths[r] = table.ok() ? ShippedTruth(world, fresh, table.value(), options.learner,
                                          options.kappa, data.Child("ship"))
                           : Result<Truth>(table.error());
  });
  Truth mean;
  const auto count = static_cast<double>(truths.size());
  for (const std::optional<Result<Truth>>& truth : truths) {
    if (!truth.has_value()) return Error{ErrorKind::kInterrupted, "stopped while solving a world"};
    if (!truth->ok()) return truth->error();
    mean.h_total += truth->value().h_total / count;
    mean.h_alloc += truth->value().h_alloc / count;
    mean.h_dep += truth->value().h_dep / count;
    mean.h_dep_argmin += truth->value().h_dep_argmin / count;
    mean.h_dep_best += truth->value().h_dep_best / count;
    mean.q += truth->value().q / count;
  }
  return mean;
}

Result<World> SolveWorld(const World& world, const Target& target, const SolveOptions& options,
                         const RngStream& stream, const Execution& execution) {
  const auto value_at = [&](double parameter) -> Result<double> {
    World candidate = world;
    candidate.*target.parameter = parameter;
    const Truth truth = GONOGO_TRY(MeanShippedTruth(candidate, options, stream, execution));
    return ValueOf(truth, target.quantity);
  };
  double low = target.low;
  double high = target.high;
  const double at_low = GONOGO_TRY(value_at(low));
  const double at_high = GONOGO_TRY(value_at(high));
  const bool rising = at_high > at_low;
  if ((at_low - target.value) * (at_high - target.value) > 0.0) {
    return InputError("no value between {} and {} makes {} {}: it runs from {} to {}", low, high,
                      Name(target.quantity), target.value, at_low, at_high);
  }
  for (int step = 0; step < options.steps; ++step) {
    const double middle = 0.5 * (low + high);
    const double value = GONOGO_TRY(value_at(middle));
    ((value < target.value) == rising ? low : high) = middle;
  }
  World solved = world;
  solved.*target.parameter = 0.5 * (low + high);
  return solved;
}

}  // namespace gonogo::calibrate
