// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/recipe/recipe.h"

namespace gonogo::train {

/// The hand-written walk that a recipe starts from: its trot, or its biped's walk. `mass_kg` is the
/// robot's own, which only a model knows.
[[nodiscard]] Result<std::shared_ptr<const robot::Policy>> MakeExpert(const robot::RobotSpec& spec,
                                                                      const Recipe& recipe,
                                                                      double mass_kg);

}  // namespace gonogo::train
