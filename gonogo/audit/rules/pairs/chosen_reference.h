// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/rules/pairs/channels.h"

namespace gonogo::audit {

/// 1 - W(pi) / W(reference) where the fixed reference of every fit is the one that its own training
/// clusters choose under `kappa`. The action that all clusters choose looks cheaper on these
/// clusters than it will be on new ones, wherever several are nearly as good: against it the gain
/// is underestimated. This one has no such bias, and more noise.
[[nodiscard]] PairChannel AgainstChosen(const OutcomeTotals& totals, const PairFits& fits,
                                        double kappa, double adapter_cost);

}  // namespace gonogo::audit
