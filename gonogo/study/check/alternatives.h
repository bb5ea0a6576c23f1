// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/world/mechanics.h"

namespace gonogo::study {

/// One thing changed in a robot's description: a mistake that people make, undone.
struct Alternative {
  std::string key;   ///< of robot.toml, such as "joints.order"
  std::string what;  ///< the change in words, after "with …"
  robot::RobotSpec robot;
  bool silent = false;  ///< a robot described wrongly in this way often walks all the same
};

/// What could have been meant instead. Every description has the same observation size and joints.
[[nodiscard]] std::vector<Alternative> AlternativesTo(const robot::RobotSpec& robot,
                                                      const sim::Mechanics& mechanics);

}  // namespace gonogo::study
