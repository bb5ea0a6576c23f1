// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/run/run.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/cli/verb.h"

/// What verbs that audit share: progress, files, the last lines.
namespace gonogo::cli {

/// Shows the progress of each part of an audit on stderr and writes it down for `gonogo watch`. The
/// context has to outlive what it returns.
[[nodiscard]] audit::Executions Shown(const Context& context);

/// Writes report.html, the page that the schema of a result.json asks for, beside it.
[[nodiscard]] Status WritePage(const nlohmann::json& result, const std::filesystem::path& folder);

/// The same, and prints `text`, or the result where JSON is wanted, and says where the page lies.
[[nodiscard]] Status ShowRun(const std::filesystem::path& folder, const nlohmann::json& result,
                             const std::string& text, const Context& context);

/// The declared audit with progress on stderr.
[[nodiscard]] Result<audit::AuditResult> RunDeclared(const audit::Session& session,
                                                     const Context& context);

/// Writes `result.json` and `report.html`, the page its schema asks for, into the session's folder.
[[nodiscard]] Status WriteRun(audit::Session& session, nlohmann::json& result);

/// The same two files of a finished run in another folder as well.
[[nodiscard]] Status CopyRun(const audit::Session& session, const std::filesystem::path& folder);

/// `session.Finish` and `ShowRun`.
[[nodiscard]] Status FinishRun(audit::Session& session, nlohmann::json& result,
                               const std::string& text, const Context& context);

/// The exit code `--gate` asks for: GO 0, NO-GO 20, ABSTAIN and a descriptive result 21, a table
/// that no decision can rest on 22.
[[nodiscard]] ExitCode GateCode(const audit::AuditResult& result);

}  // namespace gonogo::cli
