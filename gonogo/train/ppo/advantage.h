// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/train/ppo/rollout.h"

namespace gonogo::train {

/// What the update learns from: one entry per row of a rollout.
struct Advantages {
  std::vector<float> advantage;     ///< mean 0, standard deviation 1 over its group
  std::vector<float> returns;       ///< targets of the value function
  std::vector<float> value_weight;  ///< of their squared errors; 1 on average
};

/// Generalised advantage estimation with discount `gamma` and mixing `lambda`. A step that was cut
/// by the clock earns `gamma` times the value of the observation before it, as if that observation
/// went on. Environments whose numbers agree modulo `groups` are one group: a squared error of
/// their values weighs the less, the more their advantages vary.
[[nodiscard]] Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda,
                                            std::size_t groups = 1);

}  // namespace gonogo::train
