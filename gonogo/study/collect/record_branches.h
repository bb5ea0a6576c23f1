// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/collect/collect_cluster.h"

namespace gonogo::study {

/// All branches of one query, step by step, the direct one first; each carries its action as the
/// controller's name. `query` is its name in the table, such as "1301/007".
[[nodiscard]] Result<std::vector<sim::EpisodeRecord>> RecordBranches(
    const std::filesystem::path& robot, const CollectPlan& plan, const std::string& query,
    const Execution& execution);

}  // namespace gonogo::study
