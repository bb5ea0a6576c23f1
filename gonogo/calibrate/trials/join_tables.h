// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::calibrate {

/// The clusters of `fresh` behind those of `table`, so that a learner that is trained on the first
/// predicts at the others through its usual interface. Both come from the same world.
[[nodiscard]] audit::OutcomeTable JoinTables(const audit::OutcomeTable& table,
                                             const audit::OutcomeTable& fresh);

}  // namespace gonogo::calibrate
