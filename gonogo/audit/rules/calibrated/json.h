// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/audit/rules/calibrated/rule.h"

namespace gonogo::audit {

/// The calibrated rule as one entry of a result's `rules` (docs/reference/formats.md): decision,
/// target (`adapter` at new clusters), channels with point, bounds, Monte-Carlo error and state,
/// stability of the reference, allocation within and between clusters, drop-one ranges and flip
/// rate.
[[nodiscard]] nlohmann::json CalibratedRuleJson(const CalibratedAudit& audit,
                                                const Thresholds& thresholds,
                                                const ViolationClustering& clustering,
                                                std::span<const std::string> actions,
                                                const std::string& adapter);

/// How far the calibrated verdict about `adapter` can be trusted, in plain sentences.
[[nodiscard]] std::vector<std::string> DescribeTrust(const CalibratedAudit& audit,
                                                     const ViolationClustering& clustering,
                                                     std::span<const std::string> actions,
                                                     const std::string& adapter);

}  // namespace gonogo::audit
