// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

/// Vega-Lite charts of an audit result. Each takes the part of the result it draws, which must be a
/// non-empty array (or object) of the documented shape.
namespace gonogo::report::internal {

/// All estimands with their intervals on one axis: from what an oracle could save to what was kept.
[[nodiscard]] Chart EstimatesChart(const Json& estimates);
/// Decision over gain threshold × violation threshold; the declared pair is outlined.
[[nodiscard]] Chart SensitivityChart(const Json& sensitivity, const Json& thresholds);
/// Gains of every held-out cluster.
[[nodiscard]] Chart ClusterChart(const Json& folds);
/// How often the selector and the oracle choose each action.
[[nodiscard]] Chart ActionChart(const Json& actions);

}  // namespace gonogo::report::internal
