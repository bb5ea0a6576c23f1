// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/audit/channel.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

/// The verdict in plain words.
namespace gonogo::report::internal {

/// The decision and the sentence that gives its reason.
[[nodiscard]] Banner VerdictBanner(const Json& result, const Rule& rule);

/// What "eligible" meant in this table where it is less than success and time together; empty where
/// it is both.
[[nodiscard]] std::string WhatEligibleMeans(const Json& result);

/// How the result's own points and intervals were made, and which rule's they are.
[[nodiscard]] std::string WhoseEstimates(const Json& result, const std::vector<Rule>& rules);

/// What one channel's interval says, in a sentence.
[[nodiscard]] std::string ReadChannel(const Channel& channel);

/// What to check where no decision can rest on the table. Else
/// one sentence per channel that stands between this result and a GO: which bound has to move, how
/// far, and whether more clusters can move it. Where all are met: how close the closest is. Before
/// them, that a descriptive result decides nothing.
[[nodiscard]] std::vector<std::string> WhatWouldChange(const Rule& rule, const Json& result);

/// A sentence where the rules decide differently; empty where they agree.
[[nodiscard]] std::string Disagreement(const std::vector<Rule>& rules);

}  // namespace gonogo::report::internal
