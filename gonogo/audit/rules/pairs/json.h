// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/audit/rules/pairs/rule.h"

namespace gonogo::audit {

/// The leave-pair-out rule as one entry of a result's `rules` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json PairRuleJson(const PairAudit& audit, const Thresholds& thresholds,
                                          const ViolationClustering& clustering,
                                          std::span<const std::string> actions);

}  // namespace gonogo::audit
