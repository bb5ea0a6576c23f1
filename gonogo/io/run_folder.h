// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::io {

[[nodiscard]] std::string HostName();

/// The name under which this process writes a file that is not whole yet (`path.HOST-PID.tmp`):
/// tasks of a job array may write the same file at the same time.
[[nodiscard]] std::filesystem::path TemporaryFor(const std::filesystem::path& path);

/// Creates the folder of a run, with its parents, or goes on with one: half-written files in it,
/// left by processes of this host that were killed, are removed. Those of other hosts stay, because
/// nobody here can tell whether their writers live.
[[nodiscard]] Status OpenRunFolder(const std::filesystem::path& folder);

/// Who else may write into a folder meanwhile.
enum class Sharing {
  kNobody,
  kShards,   ///< tasks of the same job array, each with files of its own
  kAnybody,  ///< what is written is whole files alone, made of what others have finished
};

/// The right of this process to write into the folder of a run, until it goes out of scope: two
/// processes that make the same run would cut and overwrite each other's finished work. Whoever
/// reads needs no claim. Within a process a folder may be claimed again by what a run is made of.
///
/// A file `writing.lock` is locked in the folder, which names the process; it is removed with the
/// last claim. A killed process leaves the file but not the lock, so that the next one goes on.
/// Where the file system has no locks everybody gets the claim.
class FolderClaim {
 public:
  /// Processes that were killed hold on for a moment.
  static constexpr std::chrono::milliseconds kPatience{3000};

  /// Creates the folder, with its parents. An error that names the other process if it still has
  /// the folder after `patience`.
  [[nodiscard]] static Result<FolderClaim> Take(const std::filesystem::path& folder,
                                                Sharing sharing = Sharing::kNobody,
                                                std::chrono::milliseconds patience = kPatience);

  /// Claims nothing.
  FolderClaim() = default;

 private:
  class Held;
  explicit FolderClaim(std::shared_ptr<const Held> held) : held_(std::move(held)) {}

  std::shared_ptr<const Held> held_;
};

/// Keeps other holders of the same folder out, in this process and in others, until it goes out of
/// scope. The folder itself is locked, so no lock file is left lying beside somebody's data.
class FolderLock {
 public:
  /// Waits for its turn.
  [[nodiscard]] static Result<FolderLock> Take(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace gonogo::io
