// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/episode.h"

namespace gonogo::study {

control::Situation SituationOf(const sim::Sight& sight) {
  return {.observation = sight.observation,
          .goal_B = sight.goal_B,
          .height_m = sight.state.posture_height_m,
          .tilt_rad = sight.state.tilt_rad()};
}

sim::Start EvaluationStart(const Site& site, std::uint64_t seed, int trial, std::size_t target) {
  return sim::PairedStart(*site.world, RngStream(seed).Child("evaluation"),
                          static_cast<std::uint64_t>(trial), target);
}

Result<sim::EpisodeRecord> RecordEpisode(const Site& site, const Method& method,
                                         const sim::Start& start, robot::Point2 target_S) {
  Result<sim::ClosedLoop> loop = sim::ClosedLoop::Create(site.world, site.policy);
  if (!loop.ok()) return loop.error();
  Result<sim::Figure> figure = sim::Figure::Create(site.robot);
  if (!figure.ok()) return figure.error();
  const std::unique_ptr<control::Controller> controller = method.make();
  sim::EpisodeRecorder recorder(loop.value().env(), figure.value());
  sim::TargetRun run(loop.value(), start, target_S, std::ref(recorder));
  recorder.Begin();
  while (!run.done()) {
    const control::Decision decision = controller->Decide(SituationOf(run.Look()));
    if (Status done = run.Execute(decision.command); !done.ok()) return done.error();
  }
  sim::EpisodeRecord record = recorder.Finish(run);
  record.controller = method.name;
  return record;
}

}  // namespace gonogo::study
