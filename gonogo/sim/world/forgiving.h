// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/sim/world/engine.h"

namespace gonogo::sim {

/// A compiled model, and what of its text had to be left out for this version of the engine.
struct ForgivenModel {
  ModelPtr model;
  std::vector<std::string> notes;  ///< "go1.xml:12: option ls_iterations is left out"
};

/// Compiles an MJCF that may be newer than the engine. What does not touch the robot's motion, or
/// is said in robot.toml instead, is left out and noted; anything else the engine does not know is
/// an error that lists all of it at once, with file and line.
[[nodiscard]] Result<ForgivenModel> CompileForgiving(std::string mjcf,
                                                     const std::filesystem::path& beside);

}  // namespace gonogo::sim
