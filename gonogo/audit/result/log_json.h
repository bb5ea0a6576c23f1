// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// Adds "log" to the result of a log, and takes out what a log does not show: what an oracle would
/// do, predictions judged against costs that nobody saw, violations that are not identified.
void AddLogJson(const AuditResult& result, nlohmann::json& out);

/// Takes the channel q out of a rule.
void DropViolations(nlohmann::json& rule);

}  // namespace gonogo::audit
