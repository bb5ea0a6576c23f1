// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/result.h"

namespace gonogo::io {

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
