// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/calibrate/trials/rules.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::calibrate {

/// What the most that K clusters can say amounts to: an oracle trains the very adapter that ships
/// on `table` and tests it on as many *fresh* clusters, which no audit has, with plain cluster t
/// intervals. A rule's share of GO over the oracle's is its efficiency.
[[nodiscard]] Result<RuleOutcome> AskOracle(const audit::OutcomeTable& table,
                                            const audit::OutcomeTable& fresh_clusters,
                                            const LearnerFactory& factory,
                                            const audit::Thresholds& thresholds, double level,
                                            const RngStream& ship);

}  // namespace gonogo::calibrate
