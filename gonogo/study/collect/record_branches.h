// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/collect/collect_cluster.h"

namespace gonogo::study {

/// All branches of one query, step by step, the direct one first; each carries its action as the
/// controller's name. `models` is where `gonogo identify` wrote; `query` is its name in the table,
/// such as "1301/007".
[[nodiscard]] Result<std::vector<sim::EpisodeRecord>> RecordBranches(
    OpenedRobot robot, const audit::Protocol& protocol, const std::filesystem::path& models,
    const std::string& query, const Execution& execution);

}  // namespace gonogo::study
