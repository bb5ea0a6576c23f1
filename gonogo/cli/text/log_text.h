// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/cli/terminal/terminal.h"

/// What the terminal says of a log, a table in which one action was tried at every query, where a
/// table of all actions would show more.
namespace gonogo::cli {

/// Every action: how often it was tried and chosen, and its mean cost by all estimators.
[[nodiscard]] std::string LogActions(const audit::AuditResult& result, const Terminal& terminal);

[[nodiscard]] std::string LogDiagnostics(const audit::AuditResult& result,
                                         const Terminal& terminal);

}  // namespace gonogo::cli
