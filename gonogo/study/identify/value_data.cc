// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/value_data.h"

#include <atomic>
#include <optional>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/episode.h"

namespace gonogo::study {
namespace {

using response::ValueLog;

/// One episode's samples.
Result<ValueLog> RunOne(const Site& site, const ValueDataOptions& options,
                        const std::vector<robot::Point2>& targets, std::size_t episode) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(site.world, site.policy));
  const RngStream cluster = RngStream(options.seed).Child("value");
  const std::size_t target = episode % targets.size();
  Rng rng = cluster.Child("prefix").Child(episode).Generator();
  const double scale = options.scales[rng.Below(options.scales.size())];
  const auto prefix = rng.Below(static_cast<std::uint64_t>(options.longest_prefix) + 1);
  sim::TargetRun run(loop, SiteStart(site, cluster, episode / targets.size(), target),
                     targets[target]);
  ValueLog log;
  log.observation_size = site.robot.observation_size();
  for (std::uint64_t decision = 0; !run.done(); ++decision) {
    const sim::Sight sight = run.Look();
    const robot::Command direct = sight.direct;
    if (decision >= prefix || options.every_decision) {
      const sim::EpisodeResult so_far = sim::AtRate(run.result(), options.work_rate);
      log.observations.insert(log.observations.end(), sight.observation.begin(),
                              sight.observation.end());
      log.goals_B.push_back(sight.goal_B);
      log.remaining.push_back(
          {static_cast<float>(so_far.work_j), static_cast<float>(so_far.time_s), 0.0F});
      log.episode.push_back(static_cast<std::int32_t>(episode));
    }
    GONOGO_TRY(run.Execute(decision < prefix ? scale * direct : direct));
  }
  const sim::EpisodeResult end = sim::AtRate(run.result(), options.work_rate);
  for (response::TaskValue& value : log.remaining) {
    value = {static_cast<float>(end.work_j) - value.work_j,
             static_cast<float>(end.time_s) - value.time_s, end.success ? 1.0F : 0.0F};
  }
  return log;
}

void AppendTo(const ValueLog& part, ValueLog& log) {
  log.observations.insert(log.observations.end(), part.observations.begin(),
                          part.observations.end());
  log.goals_B.insert(log.goals_B.end(), part.goals_B.begin(), part.goals_B.end());
  log.remaining.insert(log.remaining.end(), part.remaining.begin(), part.remaining.end());
  log.episode.insert(log.episode.end(), part.episode.begin(), part.episode.end());
}

}  // namespace

Result<ValueLog> CollectValueData(const Site& site, const ValueDataOptions& options,
                                  const Execution& execution) {
  const auto family = site.robot.task.targets.find(options.family);
  if (family == site.robot.task.targets.end() || family->second.empty()) {
    return UsageError("{}: has no target family \"{}\"", site.robot.file.string(), options.family);
  }
  const auto count = static_cast<std::size_t>(options.episodes);
  std::vector<std::optional<Result<ValueLog>>> parts(count);
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, count, [&](std::size_t episode) {
    if (execution.stop.stop_requested()) return;
    parts[episode] = RunOne(site, options, family->second, episode);
    const std::size_t finished = ++done;
    if (execution.progress) execution.progress(finished, count);
  });
  ValueLog log;
  log.observation_size = site.robot.observation_size();
  for (const std::optional<Result<ValueLog>>& part : parts) {
    if (!part) return Error{ErrorKind::kInterrupted, "collecting value data was interrupted"};
    if (!part->ok()) return part->error();
    AppendTo(part->value(), log);
  }
  return log;
}

}  // namespace gonogo::study
