// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/run_directory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/refit/refit_log.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {

Result<RunDirectory> RunDirectory::Open(const std::filesystem::path& requested,
                                        const std::string& name, const nlohmann::json& manifest,
                                        io::Sharing sharing) {
  RunDirectory directory;
  const std::string text = manifest.dump(2) + "\n";
  directory.fingerprint_ = io::Sha256Hex(text);
  for (const char* key : {"table_sha256", "protocol"}) {
    if (!manifest.contains(key)) continue;
    const auto value = manifest[key].get<std::string>();
    directory.identity_.emplace_back(key == std::string("protocol") ? key : "table",
                                     key == std::string("protocol") ? io::Sha256Hex(value) : value);
  }
  directory.identity_.emplace_back("run", directory.fingerprint_);
  directory.path_ = requested;
  if (requested.empty()) {
    directory.path_ = std::filesystem::path("runs") /
                      fmt::format("{}-{}", name, directory.fingerprint_.substr(0, 8));
  }
  // A rank that writes nothing may find the manifest of rank 0 here already. Whether the two do the
  // same is said by their identities, which they compare before the first refit.
  if (io::drops_writes()) return directory;
  directory.claim_ = GONOGO_TRY(io::FolderClaim::Take(directory.path_, sharing));
  GONOGO_TRY(io::OpenRunFolder(directory.path_));
  const std::filesystem::path file = directory.path_ / "manifest.json";
  std::error_code code;
  if (!std::filesystem::exists(file, code)) {
    GONOGO_TRY(io::WriteFile(file, text));
    return directory;
  }
  const std::string found = GONOGO_TRY(io::ReadFile(file));
  if (found != text) {
    return InputError(
        "{}: holds another run (other data, settings or version); choose another --out or delete "
        "it",
        directory.path_.string());
  }
  return directory;
}

Result<RefitStore> RunDirectory::Refits(const std::string& name) const {
  RefitStore store = GONOGO_TRY(OpenRefitLog(path_ / (name + ".log"), fingerprint_));
  store.identity = identity_;
  return store;
}

Result<RefitStore> RunDirectory::RefitShard(const std::string& name, const Shard& shard,
                                            std::size_t tasks) const {
  RefitStore store =
      GONOGO_TRY(OpenRefitShard(path_ / (name + ".log"), fingerprint_, shard, tasks));
  store.identity = identity_;
  return store;
}

Status RunDirectory::WriteResult(const nlohmann::json& result) const {
  return io::WriteFile(path_ / "result.json", result.dump(2) + "\n");
}

Error RunDirectory::Resumable(const Error& error) const {
  if (error.kind != ErrorKind::kInterrupted) return error;
  return {ErrorKind::kInterrupted,
          fmt::format("interrupted; finished refits are kept in {}: the same command goes on",
                      path_.string())};
}

}  // namespace gonogo::audit
