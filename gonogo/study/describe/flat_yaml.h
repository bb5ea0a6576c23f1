// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gonogo::study {

/// A key of a YAML text with its scalars.
struct YamlEntry {
  std::string path;                 ///< names of the keys around it and its own, with dots
  std::vector<std::string> values;  ///< one, or those of a list

  /// The last name of the path.
  [[nodiscard]] std::string_view key() const {
    const std::size_t dot = path.rfind('.');
    return std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1);
  }
};

/// Keys, numbers, words and lists of them; anything else of YAML (anchors, tags, texts of several
/// lines, maps in lists) is passed over.
[[nodiscard]] std::vector<YamlEntry> ReadFlatYaml(std::string_view text);

}  // namespace gonogo::study
