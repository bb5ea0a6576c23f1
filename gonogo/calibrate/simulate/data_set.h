// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// What a log of the same queries would show: one action of each, drawn as `world.logging` says.
/// Propensities are left out where they have to be estimated.
[[nodiscard]] audit::OutcomeTable Thin(const World& world, const audit::OutcomeTable& full,
                                       const RngStream& stream);

/// The table that is audited in a world: the full one, or the scores of its log, with `models` in
/// the place of what was not tried.
[[nodiscard]] Result<audit::OutcomeTable> Observe(const World& world, audit::OutcomeTable full,
                                                  const audit::LearnerConfig& models,
                                                  const RngStream& stream);

}  // namespace gonogo::calibrate
