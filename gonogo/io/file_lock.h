// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Keeps other holders of the same path out, in this process and in others, until it goes out of
/// scope. The file is created when absent and stays, empty: removing it would let two in at once.
class FileLock {
 public:
  /// Waits for its turn.
  [[nodiscard]] static Result<FileLock> Take(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace gonogo::io
