// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::sim {

/// Refuses the text of a model, MJCF or URDF, that would make the engine read files outside the
/// folder of `beside`, itself or through a file it includes or attaches: a model is somebody
/// else's, and so is what it asks for. A person allows it with the environment variable
/// GONOGO_MODEL_FILES=anywhere. Names are judged as they are written; symbolic links in the folder
/// are followed. Height fields that no memory holds are refused, too.
[[nodiscard]] Status CheckModelFiles(const std::string& model, const std::filesystem::path& beside);

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
  std::size_t included_ = 0;
};

}  // namespace gonogo::sim
