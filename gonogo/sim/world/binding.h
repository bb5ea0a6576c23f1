// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/sim/world/world.h"

namespace gonogo::sim::internal {

/// Looks up every name of the description in the model; the first one that is missing or of the
/// wrong kind is an error that names it and lists what the model has.
[[nodiscard]] Result<Binding> Bind(const robot::RobotSpec& spec, const mjModel_& model);

}  // namespace gonogo::sim::internal
