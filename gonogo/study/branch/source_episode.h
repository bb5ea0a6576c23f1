// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

/// An episode as it happened, with the state before every decision.
struct SourceEpisode {
  std::size_t target = 0;
  std::uint64_t trial = 0;
  sim::Start start;
  robot::Point2 target_S;
  std::vector<robot::Command> commands;          ///< one per decision
  std::vector<sim::TargetRun::Bookmark> states;  ///< before each decision
  sim::EpisodeResult result;
};

/// Runs `method` from the paired start (cluster, trial, target).
[[nodiscard]] Result<SourceEpisode> RunSource(const Site& site, const Method& method,
                                              const RngStream& cluster, std::uint64_t trial,
                                              std::size_t target, robot::Point2 target_S);

/// `count` of `decisions` decisions, drawn without replacement, ascending; all if there are fewer.
[[nodiscard]] std::vector<std::size_t> DrawDecisions(std::size_t decisions, std::size_t count,
                                                     const RngStream& stream);

}  // namespace gonogo::study
