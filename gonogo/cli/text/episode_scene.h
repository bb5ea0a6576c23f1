// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/base/result.h"
#include "gonogo/report/viewer/scene.h"
#include "gonogo/sim/episode/episode_record.h"

namespace gonogo::cli {

/// Several episodes of one robot in one scene, on the ground of the first; all but the first are
/// ghosts. Refuses episodes of different robots.
[[nodiscard]] Result<report::Scene> EpisodeScene(std::span<const sim::EpisodeRecord> records);

}  // namespace gonogo::cli
