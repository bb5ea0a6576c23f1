// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::sim {

[[nodiscard]] bool IsUrdf(const std::string& text);

/// What a URDF says, as an MJCF that can be simulated: its root link gets the free joint that a
/// URDF cannot have, and every joint that turns or slides a motor. Meshes are looked for beside the
/// file, whatever folders or packages it names. Where MuJoCo cannot read it, the error says how to
/// go on.
[[nodiscard]] Result<std::string> MjcfFromUrdf(const std::string& urdf,
                                               const std::filesystem::path& file);

}  // namespace gonogo::sim
