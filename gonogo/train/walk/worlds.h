// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/sim/world/world.h"
#include "gonogo/train/recipe/recipe.h"

namespace gonogo::train {

/// The grounds of one stage of a recipe, one world per environment in turn.
[[nodiscard]] Result<std::vector<std::shared_ptr<const sim::World>>> MakeWorlds(
    const robot::RobotSpec& spec, const Stage& stage, bool fast_ground, const RngStream& stream);

}  // namespace gonogo::train
