// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo::sim {

/// The text of an MJCF with the files of its <include> elements in their places, and where each of
/// its lines came from: the engine forgets that.
class IncludedLines {
 public:
  IncludedLines(std::string_view text, const std::filesystem::path& file);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// A message of the engine about this text, with "leg.xml:12" for the number of a line.
  [[nodiscard]] std::string WithOrigins(const std::string& message) const;

 private:
  void Add(std::string_view text, const std::string& file, std::size_t line);
  void Take(std::string_view text, const std::string& file, std::size_t& line);

  std::filesystem::path folder_;
  std::string text_;
  std::vector<std::string> origins_;
  int included_ = 0;
};

}  // namespace gonogo::sim
