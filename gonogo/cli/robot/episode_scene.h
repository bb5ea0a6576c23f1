// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/report/viewer/scene.h"
#include "gonogo/sim/episode/episode_record.h"

namespace gonogo::cli {

/// "reached the target", or how the episode failed.
[[nodiscard]] std::string OutcomeText(const sim::EpisodeResult& result);

/// What followed a branch point, as the table of outcomes has it.
struct BranchFacts {
  double time_s = 0.0;
  double work_j = 0.0;
};
/// Nothing for an episode that is no branch.
[[nodiscard]] std::optional<BranchFacts> BranchFactsOf(const sim::EpisodeRecord& record);

/// Several episodes of one robot in one scene, on the ground of the first; all but the first are
/// ghosts. Refuses episodes of different robots.
[[nodiscard]] Result<report::ViewerScene> EpisodeScene(std::span<const sim::EpisodeRecord> records);

}  // namespace gonogo::cli
