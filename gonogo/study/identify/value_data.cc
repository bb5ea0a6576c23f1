// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/value_data.h"

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/run_units.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/episode.h"
#include "gonogo/study/ranks/number_bytes.h"

namespace gonogo::study {
namespace {

using response::ValueLog;

/// One episode's samples.
Result<ValueLog> RunOne(const Scene& scene, const ValueDataOptions& options,
                        const std::vector<robot::Point2>& targets, std::size_t episode) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  const RngStream cluster = RngStream(options.seed).Child("value");
  const std::size_t target = episode % targets.size();
  Rng rng = cluster.Child("prefix").Child(episode).Generator();
  const double scale = options.scales[rng.Below(options.scales.size())];
  const auto prefix = rng.Below(static_cast<std::uint64_t>(options.longest_prefix) + 1);
  sim::TargetRun run(loop, SceneStart(scene, cluster, episode / targets.size(), target),
                     targets[target]);
  ValueLog log;
  log.observation_size = scene.robot.observation_size();
  for (std::uint64_t decision = 0; !run.done(); ++decision) {
    const sim::Percept percept = run.Look();
    const robot::Command direct = percept.direct;
    if (decision >= prefix || options.every_decision) {
      const sim::EpisodeResult so_far = sim::AtRate(run.result(), options.work_rate);
      log.observations.insert(log.observations.end(), percept.observation.begin(),
                              percept.observation.end());
      log.goals_B.push_back(percept.goal_B);
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

std::string EncodeSamples(const ValueLog& log) {
  return Cbor({{"observations", Binary(log.observations)},
               {"goals", Binary(log.goals_B)},
               {"remaining", Binary(log.remaining)},
               {"episode", Binary(log.episode)}});
}

ValueLog DecodeSamples(const std::string& bytes) {
  const nlohmann::json value = nlohmann::json::from_cbor(bytes);
  ValueLog log;
  log.observations = Numbers<float>(value.at("observations"));
  log.goals_B = Numbers<robot::Point2>(value.at("goals"));
  log.remaining = Numbers<response::TaskValue>(value.at("remaining"));
  log.episode = Numbers<std::int32_t>(value.at("episode"));
  return log;
}

}  // namespace

Result<ValueLog> CollectValueData(const Scene& scene, const ValueDataOptions& options,
                                  const Execution& execution) {
  const auto family = scene.robot.task.targets.find(options.family);
  if (family == scene.robot.task.targets.end() || family->second.empty()) {
    return UsageError("{}: has no target family \"{}\"", scene.robot.file.string(), options.family);
  }
  TeamWork work{.what = "episodes of mixed controllers",
                .identity = {{"policy", scene.sha256.policy}},
                .count = static_cast<std::size_t>(options.episodes),
                .at_once = ResolveJobs(execution.jobs)};
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
    const ValueLog log = GONOGO_TRY(RunOne(scene, options, family->second, i));
    return EncodeSamples(log);
  };
  const std::vector<std::string> all = GONOGO_TRY(RunUnits(work, execution));
  ValueLog log;
  log.observation_size = scene.robot.observation_size();
  for (const std::string& bytes : all) AppendTo(DecodeSamples(bytes), log);
  return log;
}

}  // namespace gonogo::study
