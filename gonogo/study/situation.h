// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/control/controller.h"
#include "gonogo/sim/target_run.h"

namespace gonogo::study {

/// What a controller is told of what can be seen. Valid as long as the sight.
[[nodiscard]] control::Situation SituationOf(const sim::Sight& sight);

}  // namespace gonogo::study
