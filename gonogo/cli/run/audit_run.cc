// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/audit_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/cli/terminal/progress.h"
#include "gonogo/io/file.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {

Result<audit::AuditResult> RunDeclared(const audit::Session& session, const Context& context) {
  return RunVariant(session, "refits", session.protocol(), context);
}

Result<audit::AuditResult> RunVariant(const audit::Session& session, const std::string& name,
                                      const audit::Protocol& variant, const Context& context) {
  Progress progress(context.terminal, fmt::format("{} refits", audit::Name(variant.learner.kind)),
                    session.folder(), session.table_file());
  return session.AuditVariant(name, variant, context.With(progress.Callback()));
}

Status WriteRun(audit::Session& session, nlohmann::json& result) {
  GONOGO_TRY(session.Finish(result));
  const std::string html =
      GONOGO_TRY(report::ResultPage(result, (session.folder() / "result.json").string()));
  return io::WriteFile(session.folder() / "report.html", html);
}

Status FinishRun(audit::Session& session, nlohmann::json& result, const Context& context) {
  GONOGO_TRY(WriteRun(session, result));
  context.terminal.Print(context.options.json
                             ? result.dump(2) + "\n"
                             : report::ResultText(result, context.terminal.look()));
  context.terminal.Say("report: " + (session.folder() / "report.html").string());
  return {};
}

ExitCode GateCode(const audit::AuditResult& result) {
  if (result.obstacle.has_value()) return kExitNoDecision;
  if (!result.decision.has_value()) return kExitAbstain;
  switch (*result.decision) {
    case audit::Verdict::kGo:
      return kExitDone;
    case audit::Verdict::kNoGo:
      return kExitNoGo;
    case audit::Verdict::kAbstain:
      break;
  }
  return kExitAbstain;
}

}  // namespace gonogo::cli
