// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// Where the adapter chooses what: its choices over the values of one feature (`choice_map` of a
/// result).
[[nodiscard]] Section ChoiceMapSection(const Json& map);

}  // namespace gonogo::report::internal
