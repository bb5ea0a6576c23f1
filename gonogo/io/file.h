// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// The whole file as bytes.
[[nodiscard]] Result<std::string> ReadFile(const std::filesystem::path& path);

/// Writes a file of another name (`TemporaryFor` in run_folder.h), syncs it, renames it and syncs
/// its folder: a reader sees the old file or the new one, never half of it, and once this returns,
/// a loss of power no longer takes it away.
[[nodiscard]] Status WriteFile(const std::filesystem::path& path, std::string_view bytes);

/// Creates the directory and its parents, for good.
[[nodiscard]] Status MakeDirectory(const std::filesystem::path& path);

/// Makes the names of the files in a folder last: without it a loss of power may take back a file
/// that was just created or renamed, whatever was synced of its bytes.
[[nodiscard]] Status SyncFolder(const std::filesystem::path& folder);

/// Bytes of a file: mapped when it is a regular one and mapping is allowed, read otherwise.
class MappedFile {
 public:
  [[nodiscard]] static Result<MappedFile> Open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return view_; }

 private:
  MappedFile() = default;
  void Release();

  void* mapping_ = nullptr;
  std::string_view view_;
  std::unique_ptr<std::string> read_;  // on the heap, so that moving the file keeps views valid
};

/// For processes that help another one with its computation (base/parallel/team.h): they run the
/// same program, but only one of them may leave files. From this call on, for the whole process,
/// writing succeeds without effect and record logs are empty. There is no way back.
void DropWrites();
[[nodiscard]] bool drops_writes();

/// Files are read into memory unless whoever handles SIGBUS allows more: in a Python interpreter or
/// another host program that signal would end everything.
void AllowMapping(bool may = true);
[[nodiscard]] bool MappingAllowed();

/// Which file is mapped where. A mapped file that another program cuts makes the system send
/// SIGBUS to its reader; whoever handles that signal can then say which file it was.
void NoteMapping(const void* begin, std::size_t size, const std::filesystem::path& path);
void ForgetMapping(const void* begin);

/// The file that is mapped at this address; a null pointer if none is known. May be called by a
/// signal handler.
[[nodiscard]] const char* MappedFileAt(const void* address);

}  // namespace gonogo::io
