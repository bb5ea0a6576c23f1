// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::audit {

/// The rows of an ARFF file (attribute-relation file format), as texts; "?" stands for a missing
/// value.
struct ArffTable {
  std::string name;  ///< of the file, for messages
  std::vector<std::string> attributes;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  ///< on which each row stands

  /// Position of an attribute, told apart without regard to case; refuses a name that is missing.
  [[nodiscard]] Result<std::size_t> Find(std::string_view attribute) const;
};

[[nodiscard]] Result<ArffTable> ParseArff(std::string_view text, std::string name);
[[nodiscard]] Result<ArffTable> ReadArff(const std::filesystem::path& path);

}  // namespace gonogo::audit
