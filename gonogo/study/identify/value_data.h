// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/response/models/value_model.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

struct ValueDataOptions {
  int episodes = 144;
  std::string family = "harder";
  std::vector<double> scales{0.6, 0.75, 0.9, 1.0};  ///< one is drawn for the start of an episode …
  int longest_prefix = 12;                          ///< … and kept for 0 to this many decisions
  /// Every decision is a sample, as in the paper (30 an episode); otherwise only those after the
  /// start, of which what remained is exactly what direct control needed.
  bool every_decision = true;
  sim::WorkRate work_rate = sim::WorkRate::kPhysics;  ///< of the remaining work
  std::uint64_t seed = 1;
};

/// Samples for the task-value network. Every episode starts under a drawn command scale and goes on
/// under direct control. What remained of work and time at a decision is its sample.
[[nodiscard]] Result<response::ValueLog> CollectValueData(const Scene& scene,
                                                          const ValueDataOptions& options,
                                                          const Execution& execution);

}  // namespace gonogo::study
