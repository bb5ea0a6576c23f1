// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// Every parameter by its name; a world without violations has `violation_logit` null.
void to_json(nlohmann::json& json, const World& world);

}  // namespace gonogo::calibrate
