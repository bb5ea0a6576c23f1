// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/session/session.h"
#include "gonogo/cli/verb.h"

/// What verbs that audit share: progress, files, the last lines.
namespace gonogo::cli {

/// The declared audit with progress on stderr.
[[nodiscard]] Result<audit::AuditResult> RunDeclared(const audit::Session& session,
                                                     const Context& context);
/// Another one of the same table, its refits kept under `name`.
[[nodiscard]] Result<audit::AuditResult> RunVariant(const audit::Session& session,
                                                    const std::string& name,
                                                    const audit::Protocol& variant,
                                                    const Context& context);

/// Writes `result.json` and `report.html`, the page its schema asks for, into the session's folder.
[[nodiscard]] Status WriteRun(audit::Session& session, nlohmann::json& result);

/// `WriteRun`, and prints the result, as JSON where that is wanted, and says where the report lies.
[[nodiscard]] Status FinishRun(audit::Session& session, nlohmann::json& result,
                               const Context& context);

/// The exit code `--gate` asks for: GO 0, NO-GO 20, ABSTAIN and a descriptive result 21, a table
/// that no decision can rest on 22.
[[nodiscard]] ExitCode GateCode(const audit::AuditResult& result);

}  // namespace gonogo::cli
