// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/solve.h"

#include <optional>
#include <vector>

#include "gonogo/base/parallel.h"

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
                               const RngStream& stream, const RunControl& control) {
  const FreshQueries fresh = DrawFreshQueries(world, options.fresh_queries, stream.Child("fresh"));
  std::vector<std::optional<Result<Truth>>> truths(options.trainings);
  ParallelFor(control.jobs, truths.size(), [&](std::size_t r) {
    if (control.stop.stop_requested()) return;
    const RngStream data = stream.Child("training").Child(r);
    truths[r] = ShippedTruth(world, fresh, DrawTable(world, data.Child("table")), options.learner,
                             options.kappa, data.Child("ship"));
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
                         const RngStream& stream, const RunControl& control) {
  const auto value_at = [&](double parameter) -> Result<double> {
    World candidate = world;
    candidate.*target.parameter = parameter;
    const Result<Truth> truth = MeanShippedTruth(candidate, options, stream, control);
    if (!truth.ok()) return truth.error();
    return ValueOf(truth.value(), target.quantity);
  };
  double low = target.low;
  double high = target.high;
  const Result<double> at_low = value_at(low);
  if (!at_low.ok()) return at_low.error();
  const Result<double> at_high = value_at(high);
  if (!at_high.ok()) return at_high.error();
  const bool rising = at_high.value() > at_low.value();
  if ((at_low.value() - target.value) * (at_high.value() - target.value) > 0.0) {
    return InputError("no value between {} and {} makes {} {}: it runs from {} to {}", low, high,
                      Name(target.quantity), target.value, at_low.value(), at_high.value());
  }
  for (int step = 0; step < options.steps; ++step) {
    const double middle = 0.5 * (low + high);
    const Result<double> value = value_at(middle);
    if (!value.ok()) return value.error();
    ((value.value() < target.value) == rising ? low : high) = middle;
  }
  World solved = world;
  solved.*target.parameter = 0.5 * (low + high);
  return solved;
}

}  // namespace gonogo::calibrate
