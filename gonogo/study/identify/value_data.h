// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gonogo/base/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/response/models/value_model.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

struct ValueDataOptions {
  int episodes = 144;
  std::string family = "harder";
  std::vector<double> scales{0.6, 0.75, 0.9, 1.0};  ///< one is drawn for the start of an episode …
  int longest_prefix = 12;                          ///< … and kept for 0 to this many decisions
  std::uint64_t seed = 1;
};

/// Samples for the task-value network. Every episode starts under a drawn command scale and goes on
/// under direct control; each decision of that second part is a sample, so that what remained is
/// exactly what direct control needed from there.
[[nodiscard]] Result<response::ValueLog> CollectValueData(const Site& site,
                                                          const ValueDataOptions& options,
                                                          const Execution& execution);

}  // namespace gonogo::study
