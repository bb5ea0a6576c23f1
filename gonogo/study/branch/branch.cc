// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/branch/branch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/study/episode.h"

namespace gonogo::study {

Result<SourceEpisode> RunSource(const Scene& scene, const Method& method, const RngStream& cluster,
                                std::uint64_t trial, std::size_t target, robot::Point2 target_S) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  const std::unique_ptr<control::Controller> controller = method.make();
  SourceEpisode episode;
  episode.target = target;
  episode.trial = trial;
  episode.start = SceneStart(scene, cluster, trial, target);
  episode.target_S = target_S;
  sim::TargetRun run(loop, episode.start, target_S);
  while (!run.done()) {
    episode.states.push_back(run.Save());
    episode.commands.push_back(controller->Decide(SituationOf(run.Look())).command);
    GONOGO_TRY(run.Execute(episode.commands.back()));
  }
  episode.result = run.result();
  return episode;
}

std::vector<std::size_t> DrawDecisions(std::size_t decisions, std::size_t count,
                                       const RngStream& stream) {
  std::vector<std::size_t> drawn(decisions);
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(drawn));
  drawn.resize(std::min(decisions, count));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

BranchOutcome Remaining(const sim::EpisodeResult& query, const sim::EpisodeResult& end,
                        double control_dt_s) {
  // Whole control steps, so that equal durations are equal numbers wherever they begin.
  const double steps = std::round((end.time_s - query.time_s) / control_dt_s);
  return {.work_j = end.work_j - query.work_j,
          .time_s = steps * control_dt_s,
          .success = end.success,
          .control_work_j = end.control_work_j - query.control_work_j};
}

Result<BranchOutcome> RunBranch(sim::TargetRun& run, const Intervention& intervention,
                                const BranchRule& rule, control::Controller& continuation) {
  const sim::EpisodeResult query = run.result();
  const robot::CommandBox& box = run.spec().command_box;
  for (std::size_t decision = 0; !run.done(); ++decision) {
    const sim::Percept percept = run.Look();
    const double distance_m = std::hypot(percept.goal_B.x, percept.goal_B.y);
    const robot::Command command =
        decision < rule.prefix
            ? Intervene(intervention, percept.direct, distance_m, rule.blend, box)
            : continuation.Decide(SituationOf(percept)).command;
    GONOGO_TRY(run.Execute(command));
  }
  return Remaining(query, run.result(), run.spec().control_dt_s());
}

Status ReplayTo(std::size_t decision, const SourceEpisode& episode, sim::TargetRun& run) {
  for (std::size_t i = 0; i < decision; ++i) {
    static_cast<void>(run.Look());  // observing is part of what happened
    GONOGO_TRY(run.Execute(episode.commands[i]));
  }
  return {};
}

double Difference(const sim::Bookmark& a, const sim::Bookmark& b) {
  const bool same =
      sim::ToBytes(a.loop) == sim::ToBytes(b.loop) && a.progress.target_W == b.progress.target_W &&
      a.progress.start_ground_z == b.progress.start_ground_z &&
      a.progress.arrived == b.progress.arrived && a.progress.decisions == b.progress.decisions;
  if (same) return 0.0;
  double largest = 0.0;
  const auto compare = [&](const auto& left, const auto& right) {
    if (left.size() != right.size()) largest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(left[i]) - right[i]));
    }
  };
  compare(a.loop.env.physics, b.loop.env.physics);
  compare(a.loop.env.observation, b.loop.env.observation);
  compare(a.loop.hidden, b.loop.hidden);
  return largest > 0.0 ? largest : std::numeric_limits<double>::infinity();
}

}  // namespace gonogo::study
