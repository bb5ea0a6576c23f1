// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::audit {

/// Which intervals decide.
enum class DecisionRule {
  kPaper,       ///< out-of-bag percentiles of the refits
  kCalibrated,  ///< leave-one-cluster-out bootstrap with t bounds (calibrated_rule.h)
};

struct RuleConfig {
  DecisionRule kind = DecisionRule::kCalibrated;  ///< decision note 0020
  double icc = 0.1;           ///< intra-cluster correlation assumed when no violation is seen
  double adapter_cost = 0.0;  ///< features and inference per query, charged to the selector by the
                              ///< calibrated rule
  /// How often this protocol may be audited while clusters are added; the calibrated rule spends
  /// its error over that many looks.
  std::size_t looks = 1;

  bool operator==(const RuleConfig&) const = default;
};

}  // namespace gonogo::audit
