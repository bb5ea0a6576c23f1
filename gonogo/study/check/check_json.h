// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/study/check/check.h"

namespace gonogo::study {

/// Everything a check measured and found, with the names of the robot's joints and terms:
/// docs/reference/check.md.
[[nodiscard]] nlohmann::json ToJson(const robot::RobotSpec& robot, const CheckReport& report);

}  // namespace gonogo::study
