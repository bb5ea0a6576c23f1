// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// How far the tries of one action, weighted by 1 / propensity, are from all queries in the feature
/// in which they are furthest off. Right propensities balance every feature, up to chance.
struct ActionBalance {
  std::string feature = {};      ///< empty where no feature varies
  double difference = 0.0;       ///< of the means, in standard deviations of the feature
  double standard_errors = 0.0;  ///< the same in its standard errors over clusters
};

/// One entry per action.
[[nodiscard]] std::vector<ActionBalance> MeasureBalance(const OutcomeTable& log,
                                                        std::span<const double> propensity);

/// Warns of features that propensities leave out of balance by more than chance explains: one false
/// alarm in a thousand logs, over all actions and features.
[[nodiscard]] std::vector<std::string> BalanceRemarks(const OutcomeTable& log,
                                                      std::span<const ActionBalance> balance);

}  // namespace gonogo::audit
