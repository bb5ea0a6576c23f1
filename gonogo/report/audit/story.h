// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/audit/channel.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// Whether somebody's existing choices are audited instead of a learner.
[[nodiscard]] bool IsChoices(const Json& result);

/// What was found, in paragraphs that hold the numbers of one rule each: first what the rule that
/// decides estimates, then what could be had in hindsight.
[[nodiscard]] std::vector<std::string> Story(const Json& result, const Rule& rule);

}  // namespace gonogo::report::internal
