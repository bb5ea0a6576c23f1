// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/train/ppo/rollout.h"

namespace gonogo::train {

/// What the update learns from: one entry per row of a rollout.
struct Advantages {
  std::vector<float> advantage;  ///< normalised to mean 0, standard deviation 1 over the rollout
  std::vector<float> returns;    ///< targets of the value function
};

/// Generalised advantage estimation with discount `gamma` and mixing `lambda`. A step that was cut
/// by the clock earns `gamma` times the value of the observation before it, as if that observation
/// went on.
[[nodiscard]] Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda);

}  // namespace gonogo::train
