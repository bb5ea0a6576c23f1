// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"

/// \file
/// The larger sections of robot.toml. Mistakes are recorded in the document.
namespace gonogo::robot {

/// Reads [actuator], for all joints alike or by [[actuator.group]]; the joints must be known.
void ReadActuator(const io::TomlNode& node, RobotSpec& spec);

/// Reads [command]: three numbers, or [[command.channel]], and the gains of the direct command.
void ReadCommand(const io::TomlNode& node, RobotSpec& spec);

/// The channel that the `frequency` of a gait phase names.
[[nodiscard]] CommandedFrequency ReadFrequency(const io::TomlNode& node, const RobotSpec& spec);

/// Reads [[observation]], [history] and [[input]]; joints, scan and command must be known.
void ReadObservation(const io::TomlNode& root, RobotSpec& spec);

/// Reads [encoder], if there is one.
void ReadEncoder(const io::TomlNode& node, RobotSpec& spec);

}  // namespace gonogo::robot
