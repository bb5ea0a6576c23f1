// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::audit {

/// Where a run keeps its refits and its result.
class RunDirectory {
 public:
  /// `runs/<name>-<first letters of the fingerprint>` when `requested` is empty. Writes
  /// `manifest.json`, and refuses a directory that holds another one or that another process
  /// writes into.
  [[nodiscard]] static Result<RunDirectory> Open(const std::filesystem::path& requested,
                                                 const std::string& name,
                                                 const nlohmann::json& manifest,
                                                 io::Sharing sharing = io::Sharing::kNobody);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Refits finished so far, and the place for the next ones.
  [[nodiscard]] Result<RefitStore> Refits(const std::string& name) const;
  /// The same for one shard of a job array, with `tasks` refits in all.
  [[nodiscard]] Result<RefitStore> RefitShard(const std::string& name, const Shard& shard,
                                              std::size_t tasks) const;
  /// Writes `result.json`.
  [[nodiscard]] Status WriteResult(const nlohmann::json& result) const;
  /// An interruption with the advice to run the same command again; other errors as they are.
  [[nodiscard]] Error Resumable(const Error& error) const;

 private:
  std::filesystem::path path_;
  io::FolderClaim claim_;
  std::string fingerprint_;  ///< of the run: a hash of the manifest
  Identity identity_;        ///< hashes of table, protocol and run
};

}  // namespace gonogo::audit
