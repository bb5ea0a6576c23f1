// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/calibrate/benchmark/cells.h"

namespace gonogo::calibrate {

/// Worlds of which an audit sees a log only: one action of every query. Their parameters are not
/// solved yet. A feature tells the level of the cost, as a distance or a size would: without it
/// thousands of tries would say nothing about a few percent.
[[nodiscard]] std::vector<Cell> LoggedCells();

}  // namespace gonogo::calibrate
