// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/gait/biped.h"
#include "gonogo/train/gait/trot.h"

/// \file
/// The hand-written walks in a recipe: `[trot]` and `[biped]` of `train.toml`. Mistakes are
/// recorded in the document.

namespace gonogo::train {

/// Joint indices of the names under `key`; an unknown name is recorded and left out.
[[nodiscard]] std::vector<int> Joints(const io::TomlNode& node, std::string_view key,
                                      const robot::RobotSpec& spec);

/// `[trot]` with its legs. Its stiffness is the robot's own.
void ReadTrot(const io::TomlNode& node, const robot::RobotSpec& spec, TrotConfig& trot);

/// `[biped]` with its legs.
void ReadBiped(const io::TomlNode& node, const robot::RobotSpec& spec, BipedConfig& biped);

/// The period must be the one that the policy sees.
void CheckPeriod(const io::TomlNode& gait, const robot::RobotSpec& spec, double period_s);

}  // namespace gonogo::train
