// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/controller.h"
#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/scene.h"

namespace gonogo::sim {
struct Bookmark;
struct Percept;
}  // namespace gonogo::sim

namespace gonogo::study {

/// What a controller is told about what the robot sees. Valid as long as the percept.
[[nodiscard]] control::Situation SituationOf(const sim::Percept& percept);

/// The start of an evaluation episode: the same for every method.
[[nodiscard]] sim::Start EvaluationStart(const Scene& scene, std::uint64_t seed, int trial,
                                         std::size_t target);

/// The start (cluster, trial, target) under the scene's conditions.
[[nodiscard]] sim::Start SceneStart(const Scene& scene, const RngStream& cluster,
                                    std::uint64_t trial, std::uint64_t target);

/// Runs an episode and keeps all of it, for the viewer and the episode file. `states`, if given,
/// receives the state before every decision.
[[nodiscard]] Result<sim::EpisodeRecord> RecordEpisode(
    const Scene& scene, const Method& method, const sim::Start& start, robot::Point2 target_S,
    std::vector<sim::Bookmark>* states = nullptr);

/// A robot under one command, for as long as was asked or until it fell.
struct Drive {
  sim::EpisodeRecord record;         ///< its target is where the command leads in that time
  std::array<double, 3> velocity{};  ///< mean vx, vy, wz in the body frame, after the first second
};

[[nodiscard]] Result<Drive> RecordDrive(const Scene& scene, const robot::Command& command,
                                        double seconds, const sim::Start& start);

/// Where a body that moves exactly as told is after some seconds.
[[nodiscard]] robot::Pose2 PoseAfter(const robot::Pose2& start, const robot::Command& command,
                                     double seconds);

}  // namespace gonogo::study
