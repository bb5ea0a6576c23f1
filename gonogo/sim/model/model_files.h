// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::sim {

/// An <include file="…"/> of a text, wherever it stands.
struct IncludeTag {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past its '>'
  std::string_view file;
};
[[nodiscard]] std::vector<IncludeTag> FindIncludes(std::string_view text);

/// Refuses the text of a model, MJCF or URDF, that would make the engine read files outside the
/// folder of `beside`, itself or through a file it includes or attaches: a model is somebody
/// else's, and so is what it asks for. A person allows it with the environment variable
/// GONOGO_MODEL_FILES=anywhere. Names are judged as they are written; symbolic links in the folder
/// are followed.
[[nodiscard]] Status CheckModelFiles(const std::string& model, const std::filesystem::path& beside);

}  // namespace gonogo::sim
