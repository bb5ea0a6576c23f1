// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/audit_run.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/io/file.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {

audit::Executions Shown(const Context& context) {
  return [&context](const audit::AuditPart& part) {
    auto progress =
        std::make_shared<Progress>(context.terminal, part.label, part.folder, part.table);
    return context.With(
        [progress](std::size_t done, std::size_t total) { progress->Update(done, total); });
  };
}

Status WritePage(const nlohmann::json& result, const std::filesystem::path& folder) {
  const std::string html =
      GONOGO_TRY(report::ResultPage(result, (folder / "result.json").string()));
  return io::WriteFile(folder / "report.html", html);
}

void Show(const std::filesystem::path& folder, const nlohmann::json& result,
          const Context& context) {
  context.terminal.Print(context.options.json
                             ? result.dump(2) + "\n"
                             : report::ResultText(result, context.terminal.look()));
  context.terminal.Say("report: " + (folder / "report.html").string());
}

Status WriteAndShow(const std::filesystem::path& folder, const nlohmann::json& result,
                    const Context& context) {
  GONOGO_TRY(WritePage(result, folder));
  Show(folder, result, context);
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
