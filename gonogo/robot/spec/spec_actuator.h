// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// Reads [actuator], for all joints alike or by [[actuator.group]]; the joints must be known.
void ReadActuator(const io::TomlNode& node, RobotSpec& spec);

}  // namespace gonogo::robot
