// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/control/controller.h"
#include "gonogo/control/learned/intervention.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// An episode as it happened, with the state before every decision.
struct SourceEpisode {
  std::size_t target = 0;
  std::uint64_t trial = 0;
  sim::Start start;
  robot::Point2 target_S;
  std::vector<robot::Command> commands;  ///< one per decision
  std::vector<sim::Bookmark> states;     ///< before each decision
  sim::EpisodeResult result;
};

/// Runs `method` from the paired start (cluster, trial, target).
[[nodiscard]] Result<SourceEpisode> RunSource(const Scene& scene, const Method& method,
                                              const RngStream& cluster, std::uint64_t trial,
                                              std::size_t target, robot::Point2 target_S);

/// `count` of `decisions` decisions, drawn without replacement, ascending; all if there are fewer.
[[nodiscard]] std::vector<std::size_t> DrawDecisions(std::size_t decisions, std::size_t count,
                                                     const RngStream& stream);

using control::BoundedBlend;
using control::Intervene;
using control::Intervention;
using control::ParseIntervention;

/// What is the same in every branch of a study.
struct BranchRule {
  std::size_t prefix = 4;  ///< decisions under the intervention
  BoundedBlend blend;
};

/// What a branch needed from the query to the end of its episode.
struct BranchOutcome {
  double work_j = 0.0;
  double time_s = 0.0;
  bool success = false;
  double control_work_j = 0.0;  ///< the work read once per control step

  bool operator==(const BranchOutcome&) const = default;
};

/// What remained of an episode from `query` on. With direct control as source and continuation this
/// is, bit for bit, the branch that does nothing.
[[nodiscard]] BranchOutcome Remaining(const sim::EpisodeResult& query,
                                      const sim::EpisodeResult& end, double control_dt_s);

/// Lets `run` go on from its present state: the prefix under the intervention, then `continuation`
/// until the episode ends.
[[nodiscard]] Result<BranchOutcome> RunBranch(sim::TargetRun& run, const Intervention& intervention,
                                              const BranchRule& rule,
                                              control::Controller& continuation);

/// Starts the episode anew and repeats its commands up to a decision: the state that `Restore` of
/// the saved one gives, the slow way.
[[nodiscard]] Status ReplayTo(std::size_t decision, const SourceEpisode& episode,
                              sim::TargetRun& run);

/// The largest difference between two states: 0 only if every byte that decides how they go on is
/// equal; infinite if something differs that is no number.
[[nodiscard]] double Difference(const sim::Bookmark& a, const sim::Bookmark& b);

}  // namespace gonogo::study
