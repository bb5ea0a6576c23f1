// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/result/audit_result.h"

/// What differs where a log was audited: a table in which one action was tried at every query.
namespace gonogo::audit {

/// Adds what follows from the choices: the adapter's cost by all estimators, bounds of lost
/// success. Nothing for a result that is not of a log.
void AddLogEstimates(AuditResult& result);

/// Whether the result says how often its constraint is broken.
[[nodiscard]] bool KnowsViolations(const AuditResult& result);

/// Why no rule may read a log: its constraint is not identified, or an action was tried in too few
/// clusters.
[[nodiscard]] std::optional<Obstacle> FindLogObstacle(const AuditResult& result);

/// Why a result of a log is descriptive.
[[nodiscard]] std::vector<std::string> LogReasons(const AuditResult& result);

/// What kind of table it is and what q means there, in sentences.
[[nodiscard]] std::string LogInWords(const AuditResult& result);

/// Adds "log" to the result of a log, and takes out what a log does not show: what an oracle would
/// do, predictions judged against costs that nobody saw, violations that are not identified.
void AddLogJson(const AuditResult& result, nlohmann::json& out);

/// Takes the channel q out of a rule.
void DropViolations(nlohmann::json& rule);

}  // namespace gonogo::audit
