// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace gonogo::fuzz {

/// A folder of this process for readers that want a path. The scripts put TMPDIR into memory and
/// remove it afterwards.
inline const std::filesystem::path& ScratchFolder() {
  static const std::filesystem::path kFolder = [] {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("gonogo-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    return folder;
  }();
  return kFolder;
}

/// Writes a file there; the path. Not synced: nobody needs it after a crash of the machine.
inline std::filesystem::path PutFile(const std::string& name, std::string_view bytes) {
  std::filesystem::path path = ScratchFolder() / name;
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// The bytes of a fuzzer's input as text.
inline std::string_view AsText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace gonogo::fuzz
