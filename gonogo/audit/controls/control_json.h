// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/controls/controls.h"

namespace gonogo::audit {

/// Allocation gains whose claim is counted: the lower bound lies above them.
inline constexpr std::array kClaimedGains{0.0025, 0.005, 0.01};

/// The bonuses a control plants when nobody says which; `kind` is "observable" or "hidden".
[[nodiscard]] std::vector<double> UsualGammas(std::string_view kind);

/// `gonogo.control/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ControlJson(const std::string& kind,
                                         const std::vector<ControlPoint>& points,
                                         const Protocol& protocol);

}  // namespace gonogo::audit
