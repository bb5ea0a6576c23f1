// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>

namespace gonogo::io {

/// What tells whether a file is still the one that was there: a file that is read twice, or hashed
/// after it was read, may be replaced, overwritten or cut in between.
struct FileStamp {
  /// All zero if there is no such file.
  [[nodiscard]] static FileStamp Of(const std::filesystem::path& path);

  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t changed_s = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

}  // namespace gonogo::io
