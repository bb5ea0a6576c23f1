// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// Reads [command]: three numbers, or [[command.channel]], and the gains of the direct command.
void ReadCommand(const io::TomlNode& node, RobotSpec& spec);

/// The channel that the `frequency` of a gait phase names.
[[nodiscard]] CommandedFrequency ReadFrequency(const io::TomlNode& node, const RobotSpec& spec);

}  // namespace gonogo::robot
