// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/channel_sweep.h"

#include <algorithm>
#include <optional>

#include "gonogo/base/parallel/parallel.h"

namespace gonogo::study {
namespace {

constexpr int kSweepPoints = 5;

}  // namespace

Result<std::vector<ChannelPoint>> SweepChannels(const std::shared_ptr<const sim::World>& world,
                                                const std::shared_ptr<const robot::Policy>& policy,
                                                double seconds, const Execution& execution) {
  const robot::RobotSpec& robot = world->spec();
  std::vector<ChannelPoint> points;
  std::vector<Trial> trials;
  for (const robot::CommandChannel& channel : robot.channels) {
    if (channel.is_velocity()) continue;
    const double low = channel.Of(robot.command_box.low);
    const double high = channel.Of(robot.command_box.high);
    for (int i = 0; i < kSweepPoints; ++i) {
      const double told = low + (high - low) * i / (kSweepPoints - 1);
      Trial trial{channel.name + "=", static_cast<int>(channel.slot), {}, told};
      trial.command.vx = 0.5 * std::max(robot.command_box.high.vx, 0.0);
      channel.Set(trial.command, told);
      points.push_back({.channel = channel.name, .told = told});
      trials.push_back(std::move(trial));
    }
  }
  std::vector<std::optional<Result<TrialResult>>> runs(trials.size());
  ParallelFor(execution.jobs, trials.size(),
              [&](std::size_t i) { runs[i] = RunTrial(world, policy, trials[i], seconds); });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const TrialResult run = GONOGO_TRY(*std::move(runs[i]));
    points[i].motion = run.motion;
  }
  return points;
}

}  // namespace gonogo::study
