// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// What a calibration control found, as chart and tables: how much of a planted observable signal
/// comes back, or how often a hidden one is claimed. `control` is a result of `gonogo control`;
/// `threshold` is the allocation gain a GO needs.
[[nodiscard]] std::vector<Block> ControlBlocks(const Json& control,
                                               std::optional<double> threshold);

}  // namespace gonogo::report::internal
