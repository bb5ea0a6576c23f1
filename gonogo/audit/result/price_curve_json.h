// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/audit/refit/price_curve.h"

namespace gonogo::audit {

/// `price_curve` of a result (docs/reference/formats.md).
[[nodiscard]] nlohmann::json PriceCurveJson(const PriceCurve& curve);

}  // namespace gonogo::audit
