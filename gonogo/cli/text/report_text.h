// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/run/audit_report.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// Everything an audit found as a person reads it: the declared result (`AuditText`), then what was
/// asked for besides.
[[nodiscard]] std::string ReportText(const audit::AuditReport& report, const Terminal& terminal);

}  // namespace gonogo::cli
