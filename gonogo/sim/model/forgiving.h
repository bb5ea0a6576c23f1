// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/sim/model/engine.h"

namespace gonogo::sim {

/// A compiled model, and what of its text was translated or left out for this version of the
/// engine.
struct ForgivenModel {
  ModelPtr model;
  std::vector<std::string> notes;    ///< "option ls_iterations is left out (go1.xml:12): …"
  std::vector<double> torque_limit;  ///< per joint of the model; infinite = none
  std::vector<double> position_kd;   ///< per actuator of the model; 0 = none
  std::vector<double> gravcomp;      ///< share of its weight a body does not feel; empty = none
};

/// Compiles an MJCF that may be newer than the engine. What does not touch the robot's motion is
/// left out, what this version can do in another way is translated, both are noted; anything else
/// the engine does not know is an error that lists all of it at once, with file and line.
[[nodiscard]] Result<ForgivenModel> CompileForgiving(const std::string& mjcf,
                                                     const std::filesystem::path& file);

}  // namespace gonogo::sim
