// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// The benchmark in one table: per family of worlds and rule the worst of what was measured in any
/// of its cells, and how much of the decisions that fresh clusters would give it reaches.
[[nodiscard]] Table FamilyTable(const Json& calibration);

}  // namespace gonogo::report::internal
