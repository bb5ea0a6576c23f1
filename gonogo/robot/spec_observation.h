// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec.h"

namespace gonogo::robot {

/// Reads every [[observation]] and [history] of a description whose joints, scan and command are
/// known.
void ReadObservation(const io::TomlNode& root, RobotSpec& spec);

}  // namespace gonogo::robot
