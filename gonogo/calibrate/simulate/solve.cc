// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/solve.h"

#include <optional>
#include <vector>

#include "gonogo/base/parallel/parallel.h"

namespace gonogo::calibrate {
namespace {

/// The truth about the adapter of one data set.
Result<Truth> TrainOnce(const SyntheticWorld& world, const FreshQueries& fresh,
                        const SolveOptions& options, const RngStream& stream) {
  return UntilAccepted(world, [&](std::size_t attempt) -> Result<Truth> {
    const audit::Protocol protocol = ProtocolFor(options.protocol, world, false, stream);
    const DataSet data = GONOGO_TRY(DrawDataSet(world, protocol, stream, attempt));
    const auto asked = GONOGO_TRY(audit::AskedOutcomes::Open(data.table, protocol, {.jobs = 1}));
    return ShippedTruth(world, fresh, asked->table(), protocol);
  });
}

}  // namespace

Result<Truth> MeanShippedTruth(const SyntheticWorld& world, const SolveOptions& options,
                               const RngStream& stream, const Execution& execution) {
  const FreshQueries fresh = DrawFreshQueries(world, options.fresh_queries, stream.Child("fresh"));
  std::vector<std::optional<Result<Truth>>> truths(options.trainings);
  ParallelFor(execution.jobs, truths.size(), [&](std::size_t r) {
    if (execution.stop.stop_requested()) return;
    truths[r] = TrainOnce(world, fresh, options, stream.Child("training").Child(r));
  });
  Truth mean;
  const auto count = static_cast<double>(truths.size());
  for (const std::optional<Result<Truth>>& truth : truths) {
    if (!truth.has_value()) return Error{ErrorKind::kInterrupted, "stopped while solving a world"};
    if (!truth->ok()) return truth->error();
    mean.Add(truth->value(), 1.0 / count);
  }
  return mean;
}

Result<SyntheticWorld> SolveWorld(const SyntheticWorld& world, const SolveTarget& target,
                                  const SolveOptions& options, const RngStream& stream,
                                  const Execution& execution) {
  const auto value_at = [&](double parameter) -> Result<double> {
    SyntheticWorld candidate = world;
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
  SyntheticWorld solved = world;
  solved.*target.parameter = 0.5 * (low + high);
  return solved;
}

}  // namespace gonogo::calibrate
