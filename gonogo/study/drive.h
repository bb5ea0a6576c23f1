// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

/// A robot under one command, for as long as was asked or until it fell.
struct Drive {
  sim::EpisodeRecord record;         ///< its target is where the command leads in that time
  std::array<double, 3> velocity{};  ///< mean vx, vy, wz in the body frame, after the first second
};

[[nodiscard]] Result<Drive> RecordDrive(const Site& site, const robot::Command& command,
                                        double seconds, const sim::Start& start);

/// Where a body that moves exactly as told is after some seconds.
[[nodiscard]] robot::Pose2 PoseAfter(const robot::Pose2& start, const robot::Command& command,
                                     double seconds);

}  // namespace gonogo::study
