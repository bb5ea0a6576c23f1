// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/branch/source_episode.h"

#include <algorithm>
#include <numeric>

#include "gonogo/study/episode.h"

namespace gonogo::study {

Result<SourceEpisode> RunSource(const Site& site, const Method& method, const RngStream& cluster,
                                std::uint64_t trial, std::size_t target, robot::Point2 target_S) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(site.world, site.policy));
  const std::unique_ptr<control::Controller> controller = method.make();
  SourceEpisode episode;
  episode.target = target;
  episode.trial = trial;
  episode.start = SiteStart(site, cluster, trial, target);
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

}  // namespace gonogo::study
