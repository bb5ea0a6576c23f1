// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/number_text.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// The verdict in one line, coloured: "GO", "NO-GO", "ABSTAIN" or "DESCRIPTIVE (would read NO-GO)".
[[nodiscard]] std::string VerdictText(const audit::AuditResult& result, const Terminal& terminal);

/// A result as a person reads it: the verdict, one table of channels, diagnostics, reasons and
/// warnings.
[[nodiscard]] std::string AuditText(const audit::AuditResult& result, const Terminal& terminal);

/// "[0.63, 2.03] %", or "–" when there is none.
[[nodiscard]] std::string PercentInterval(const std::optional<stats::Interval>& interval);

}  // namespace gonogo::cli
