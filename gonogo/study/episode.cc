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
  return SiteStart(site, RngStream(seed).Child("evaluation"), static_cast<std::uint64_t>(trial),
                   target);
}

sim::Start SiteStart(const Site& site, const RngStream& cluster, std::uint64_t trial,
                     std::uint64_t target) {
  sim::Start start = sim::PairedStart(*site.world, cluster, trial, target);
  const RngStream stream = cluster.Child("trial").Child(trial).Child("target").Child(target);
  sim::Expose(site.conditions, site.robot, stream, start);
  return start;
}

Result<sim::EpisodeRecord> RecordEpisode(const Site& site, const Method& method,
                                         const sim::Start& start, robot::Point2 target_S,
                                         std::vector<sim::TargetRun::Bookmark>* states) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(site.world, site.policy));
  sim::Figure figure = GONOGO_TRY(sim::Figure::Create(site.robot));
  const std::unique_ptr<control::Controller> controller = method.make();
  sim::EpisodeRecorder recorder(loop.env(), figure);
  sim::TargetRun run(loop, start, target_S, std::ref(recorder));
  recorder.Begin();
  while (!run.done()) {
    if (states != nullptr) states->push_back(run.Save());
    const control::Decision decision = controller->Decide(SituationOf(run.Look()));
    GONOGO_TRY(run.Execute(decision.command));
  }
  sim::EpisodeRecord record = recorder.Finish(run);
  record.controller = method.name;
  return record;
}

}  // namespace gonogo::study
