// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gonogo/team/rank_team.h"

namespace gonogo::team {

/// The team this process was started into by mpirun or srun; null when it was started alone, and
/// then no MPI library is loaded. `build` names version and commit. Call it from the main thread.
///
/// Environment: GONOGO_MPI_PLUGIN, another place of gonogo_mpi.so; GONOGO_TEAM_SILENCE_S, seconds
/// after which a rank that says nothing counts as lost [60].
[[nodiscard]] Result<std::unique_ptr<RankTeam>> JoinLaunched(const std::string& build);

}  // namespace gonogo::team
