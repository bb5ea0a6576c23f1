// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/audit_run.h"

#include <fmt/format.h>

#include "gonogo/audit/refit/refit_log.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {

Result<RunDirectory> RunDirectory::Open(const std::filesystem::path& requested,
                                        const std::string& name, const nlohmann::json& manifest) {
  RunDirectory directory;
  const std::string text = manifest.dump(2) + "\n";
  directory.fingerprint_ = io::Sha256Hex(text);
  directory.path_ = requested;
  if (requested.empty()) {
    directory.path_ = std::filesystem::path("runs") /
                      fmt::format("{}-{}", name, directory.fingerprint_.substr(0, 8));
  }
  GONOGO_TRY(io::MakeDirectory(directory.path_));
  const std::filesystem::path file = directory.path_ / "manifest.json";
  std::error_code code;
  if (std::filesystem::exists(file, code)) {
    const std::string found = GONOGO_TRY(io::ReadFile(file));
    if (found != text) {
      return InputError(
          "{}: holds another run (other data, settings or version); choose another --out or "
          "delete it",
          directory.path_.string());
    }
    return directory;
  }
  GONOGO_TRY(io::WriteFile(file, text));
  return directory;
}

Result<audit::RefitStore> RunDirectory::Refits(const std::string& name) const {
  return audit::OpenRefitLog(path_ / (name + ".log"), fingerprint_);
}

Status RunDirectory::WriteResult(const nlohmann::json& result) const {
  GONOGO_TRY(io::WriteFile(path_ / "result.json", result.dump(2) + "\n"));
  const std::string page = GONOGO_TRY(report::ResultPage(result, (path_ / "result.json").string()));
  return io::WriteFile(path_ / "report.html", page);
}

Result<audit::AuditResult> RunAuditIn(const RunDirectory& directory, const std::string& name,
                                      const audit::OutcomeTable& table,
                                      const audit::Protocol& protocol, const Context& context) {
  const audit::RefitStore store = GONOGO_TRY(directory.Refits(name));
  Progress progress(context.terminal, fmt::format("{} refits", audit::Name(protocol.learner.kind)));
  Result<audit::AuditResult> result =
      audit::RunAudit(table, protocol, store, context.Control(progress.Callback()));
  if (!result.ok()) return Resumable(result.error(), directory);
  return result;
}

Error Resumable(const Error& error, const RunDirectory& directory) {
  if (error.kind != ErrorKind::kInterrupted) return error;
  return {ErrorKind::kInterrupted,
          fmt::format("interrupted; finished refits are kept in {}: the same command goes on",
                      directory.path().string())};
}

Result<nlohmann::json> TableManifest(const std::filesystem::path& path) {
  const io::MappedFile file = GONOGO_TRY(io::MappedFile::Open(path));
  return nlohmann::json{{"schema", "gonogo.manifest/1"},
                        {"table", path.filename().string()},
                        {"table_sha256", io::Sha256Hex(file.bytes())},
                        {"build", io::CurrentBuild()}};
}

nlohmann::json CollectionOf(const audit::OutcomeTable& table) {
  if (table.provenance.empty()) return {};
  Result<nlohmann::json> json = io::ParseJson(table.provenance, "provenance");
  if (!json.ok()) return table.provenance;  // somebody's own words
  return std::move(json).value();
}

ExitCode GateCode(const std::optional<audit::Verdict>& decision) {
  if (!decision.has_value()) return kExitAbstain;
  switch (*decision) {
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
