// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/protocol.h"
#include "gonogo/calibrate/truth.h"

namespace gonogo::cli {

/// Makes the learner `name` ("mlp", "ridge" or "trees") with its default settings.
[[nodiscard]] calibrate::LearnerFactory LearnerByName(const std::string& name);

}  // namespace gonogo::cli
