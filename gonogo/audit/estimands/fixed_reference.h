// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "gonogo/audit/estimands/potential_outcomes.h"

namespace gonogo::audit {

/// The best action to issue always: lowest summed cost over the clusters weighted by
/// `multiplicity` among the actions whose violation rate there is at most `kappa` (inclusive).
/// Direct is always admissible; ties go to the lowest index (docs/concepts/audit.md, 7).
[[nodiscard]] ActionIndex SelectFixedAction(const OutcomeTotals& totals,
                                            std::span<const std::uint32_t> multiplicity,
                                            double kappa);

}  // namespace gonogo::audit
