// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::sim {

/// Refuses the text of a model, MJCF or URDF, that would make the engine read files outside the
/// folder of `beside`, itself or through a file it includes: a model is somebody else's, and so is
/// what it asks for. A person allows it with the environment variable GONOGO_MODEL_FILES=anywhere.
/// Names are judged as they are written; symbolic links in the folder are followed.
[[nodiscard]] Status CheckModelFiles(const std::string& model, const std::filesystem::path& beside);

}  // namespace gonogo::sim
