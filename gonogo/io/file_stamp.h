// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "gonogo/base/result.h"

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

/// What `read` makes of the files; refused, whatever it made, if one of them was changed meanwhile:
/// it would be a mixture of two files, or stand under the hash of another one.
template <typename Read>
[[nodiscard]] auto WhileUnchanged(const std::vector<std::filesystem::path>& files, const Read& read)
    -> decltype(read()) {
  std::vector<FileStamp> before;
  for (const std::filesystem::path& file : files) before.push_back(FileStamp::Of(file));
  auto made = read();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (FileStamp::Of(files[i]) == before[i]) continue;
    return InputError(
        "{}: was changed while it was read; run the same command again when it is whole",
        files[i].string());
  }
  return made;
}

}  // namespace gonogo::io
