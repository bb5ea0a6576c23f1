// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::nn::torchscript {

/// The files in a zip archive, as PyTorch writes them: stored or deflated. A view of its bytes,
/// which must outlive it.
class ZipArchive {
 public:
  [[nodiscard]] static Result<ZipArchive> Parse(std::string_view bytes);

  struct Entry {
    std::string_view stored;  ///< as it stands in the archive
    std::uint32_t size = 0;   ///< unpacked
    std::uint32_t checksum = 0;
    bool deflated = false;
  };
  [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

  /// A file of at most `most` bytes, its checksum compared.
  [[nodiscard]] Result<std::string> Read(const std::string& name, std::size_t most) const;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace gonogo::nn::torchscript
