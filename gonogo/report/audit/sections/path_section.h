// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// The looks at growing data (`path` of a result): for every condition of a GO its interval at each
/// look against the threshold, and what each look read. Nothing where no look was taken.
[[nodiscard]] std::optional<Section> PathSection(const Json& path);

}  // namespace gonogo::report::internal
