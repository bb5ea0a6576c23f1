// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gonogo/sim/episode/target_run.h"

namespace gonogo::sim {

std::string OutcomeText(const EpisodeResult& result, const robot::RobotSpec& robot) {
  if (result.success) return "reached the target";
  switch (result.termination) {
    case Termination::kForbiddenContact:
      return fmt::format("fell after {:.1f} s: {}", result.time_s, result.termination_detail);
    case Termination::kDiverged:
      return fmt::format("the physics blew up: {}", result.termination_detail);
    case Termination::kNone:
      break;
  }
  if (result.reached) {
    return fmt::format("reached the target too low: {:.2f} m, {:.2f} m needed",
                       result.final_height_m, robot.task.height_fraction * robot.spawn_height_m);
  }
  const double missing = std::max(0.0, result.final_distance_m - robot.task.tolerance_m);
  return fmt::format("stopped {:.1f} m short when the time was over", missing);
}

}  // namespace gonogo::sim
