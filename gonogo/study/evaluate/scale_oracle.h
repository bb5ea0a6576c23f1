// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::study {

/// One scale among those that were compared.
struct ScaleShare {
  std::string method;
  double mean_cot = 0.0;
  double share = 0.0;  ///< of the episodes in which it needs least; ties go to the first
};

/// Stage 1 of the paper's audit: what choosing one scale per episode with hindsight would save over
/// the best single scale. Only starts from which every scale succeeded count.
struct ScaleOracle {
  std::size_t episodes = 0;
  std::vector<ScaleShare> scales;
  std::size_t best = 0;      ///< of `scales`: lowest mean cost of transport
  double oracle_cot = 0.0;   ///< mean of the lowest of each episode
  double gap = 0.0;          ///< 1 - oracle_cot / mean of the best scale
  stats::Interval interval;  ///< of the gap, resampling episodes: descriptive
};

/// `methods` are names in the evaluation. With no common success everything is zero.
[[nodiscard]] ScaleOracle FindScaleOracle(const Evaluation& evaluation,
                                          const std::vector<std::string>& methods,
                                          const RngStream& stream);

}  // namespace gonogo::study
