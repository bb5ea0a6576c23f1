// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/ppo/mirror.h"

namespace gonogo::train {

/// Left-right reflection of a robot's observation and action. Joint i changes places with
/// `partner[i]`; joints with `flip` turn the other way in the mirror. A gait phase moves by half a
/// period.
[[nodiscard]] Symmetry MakeSymmetry(const robot::RobotSpec& spec, const std::vector<int>& partner,
                                    const std::vector<char>& flip);

/// Factors that bring an observation's terms to comparable size.
[[nodiscard]] std::vector<float> InputScale(const robot::RobotSpec& spec);

}  // namespace gonogo::train
