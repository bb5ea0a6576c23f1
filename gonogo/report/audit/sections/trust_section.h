// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// How far the verdict can be trusted: what the rules say about themselves in words, how firmly
/// their bounds stand, and where the allocation gain comes from. Nothing when no rule says
/// anything.
[[nodiscard]] std::optional<Section> TrustSection(const Json& rules);

}  // namespace gonogo::report::internal
