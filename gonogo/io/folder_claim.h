// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Who else may write into a folder meanwhile.
enum class Company {
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
                                                Company company = Company::kNobody,
                                                std::chrono::milliseconds patience = kPatience);

  /// Claims nothing.
  FolderClaim() = default;

 private:
  class Held;
  explicit FolderClaim(std::shared_ptr<const Held> held) : held_(std::move(held)) {}

  std::shared_ptr<const Held> held_;
};

}  // namespace gonogo::io
