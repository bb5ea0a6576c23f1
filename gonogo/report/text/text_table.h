// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gonogo::report {

/// Columns a text takes on a terminal: one for each UTF-8 code point, none for escape codes.
[[nodiscard]] std::size_t DisplayWidth(std::string_view text);

/// Aligned columns: the first is left-aligned, the others right-aligned unless a column name starts
/// with '<'.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> columns);
  /// Missing cells at the end of a row are empty.
  void AddRow(std::vector<std::string> cells);
  /// Every line indented by two spaces and ended by a line break.
  [[nodiscard]] std::string Render() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace gonogo::report
