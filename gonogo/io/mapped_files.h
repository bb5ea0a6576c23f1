// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>

namespace gonogo::io {

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
