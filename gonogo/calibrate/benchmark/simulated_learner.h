// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::calibrate {

/// A learner that the benchmark knows by name: the audit's own, or one of them made small enough to
/// be refitted a hundred thousand times.
struct SimulatedLearner {
  audit::LearnerConfig config;
  bool small_tables = false;  ///< simulated on `SmallCells`
};

[[nodiscard]] std::optional<SimulatedLearner> SimulatedLearnerNamed(std::string_view name);
[[nodiscard]] std::vector<std::string> SimulatedLearnerNames();

}  // namespace gonogo::calibrate
