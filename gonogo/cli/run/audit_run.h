// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/run/run.h"
#include "gonogo/cli/verb.h"

/// What verbs that audit share: progress, files, the last lines.
namespace gonogo::cli {

/// Shows the progress of each part of an audit on stderr and writes it down for `gonogo watch`. The
/// context has to outlive what it returns.
[[nodiscard]] audit::Executions Shown(const Context& context);

/// Writes report.html, the page that the schema of a result.json asks for, beside it.
[[nodiscard]] Status WritePage(const nlohmann::json& result, const std::filesystem::path& folder);

/// Prints the result, as JSON where that is wanted, and says where its page lies.
void Show(const std::filesystem::path& folder, const nlohmann::json& result,
          const Context& context);

/// Both.
[[nodiscard]] Status WriteAndShow(const std::filesystem::path& folder, const nlohmann::json& result,
                                  const Context& context);

/// The exit code `--gate` asks for: GO 0, NO-GO 20, ABSTAIN and a descriptive result 21, a table
/// that no decision can rest on 22.
[[nodiscard]] ExitCode GateCode(const audit::AuditResult& result);

}  // namespace gonogo::cli
