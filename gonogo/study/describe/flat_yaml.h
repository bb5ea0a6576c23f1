// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo::study {

/// A key of a YAML text with its scalars.
struct YamlEntry {
  std::string path;  ///< names of the keys around it and its own, with dots; of an item of a list
                     ///< its number
  std::vector<std::string> values;  ///< one, or those of a list

  /// The last name of the path.
  [[nodiscard]] std::string_view key() const {
    const std::size_t dot = path.rfind('.');
    return std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1);
  }
};

/// Keys, numbers, words, lists and maps of them, in blocks or in brackets; anchors and aliases.
/// Anything else of YAML (tags, texts of several lines) is passed over.
[[nodiscard]] std::vector<YamlEntry> ReadFlatYaml(std::string_view text);

/// The same of the classes with which legged_gym and its relatives are configured: names of
/// classes and of what is assigned in them are keys. Functions are passed over.
[[nodiscard]] std::vector<YamlEntry> ReadFlatPython(std::string_view text);

/// The numbers of an entry; nothing if it holds something else. A truth value is 0 or 1.
[[nodiscard]] std::optional<std::vector<double>> NumbersOf(const std::vector<std::string>& values);

}  // namespace gonogo::study
