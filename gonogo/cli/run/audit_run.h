// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/audit/audit.h"
#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// Where a run keeps its refits, its result and its report.
class RunDirectory {
 public:
  /// `runs/<name>-<first letters of the fingerprint>` when `requested` is empty. Writes
  /// `manifest.json`.
  [[nodiscard]] static Result<RunDirectory> Open(const std::filesystem::path& requested,
                                                 const std::string& name,
                                                 const nlohmann::json& manifest);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Identifies the run: a hash of the manifest.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  /// Refits finished so far, and the place for the next ones.
  [[nodiscard]] Result<audit::RefitStore> Refits(const std::string& name) const;
  /// Writes `result.json` and `report.html`, the page its schema asks for.
  [[nodiscard]] Status WriteResult(const nlohmann::json& result) const;

 private:
  std::filesystem::path path_;
  std::string fingerprint_;
};

/// An audit with progress on stderr and refits kept under `name` in the directory.
[[nodiscard]] Result<audit::AuditResult> RunAuditIn(const RunDirectory& directory,
                                                    const std::string& name,
                                                    const audit::OutcomeTable& table,
                                                    const audit::Protocol& protocol,
                                                    const Context& context);

/// An interruption with the advice to run the same command again; other errors as they are.
[[nodiscard]] Error Resumable(const Error& error, const RunDirectory& directory);

/// What a manifest says of the table at `path`: its name and hash.
[[nodiscard]] Result<nlohmann::json> TableManifest(const std::filesystem::path& path);

/// What the table says about how its outcomes were made; null if nothing.
[[nodiscard]] nlohmann::json CollectionOf(const audit::OutcomeTable& table);

/// The exit code `--gate` asks for: GO 0, NO-GO 20, ABSTAIN and no decision 21.
[[nodiscard]] ExitCode GateCode(const std::optional<audit::Verdict>& decision);

}  // namespace gonogo::cli
