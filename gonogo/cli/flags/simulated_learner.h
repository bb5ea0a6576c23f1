// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::cli {

/// Makes the learner a protocol declares for every simulated data set.
[[nodiscard]] calibrate::LearnerFactory MakeLearnerFactory(const audit::LearnerConfig& config);

}  // namespace gonogo::cli
