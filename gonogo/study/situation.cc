// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/situation.h"

#include <algorithm>
#include <cmath>

namespace gonogo::study {

control::Situation SituationOf(const sim::Sight& sight) {
  return {.observation = sight.observation,
          .goal_B = sight.goal_B,
          .height_m = sight.state.posture_height_m,
          .tilt_rad = std::acos(std::clamp(-sight.state.gravity_B[2], -1.0, 1.0))};
}

}  // namespace gonogo::study
