// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// One-sided error that look `look` of `looks` equally spaced ones may spend out of `alpha`:
/// increments of the O'Brien-Fleming spending function 2 - 2 Phi(z_{alpha/2} / sqrt(t)), t = look /
/// looks. They add up to alpha, so by the union bound all looks together err at most that often,
/// whatever their dependence. One look spends everything; a look beyond the declared ones spends
/// what the last one did, and is not confirmatory (docs/concepts/intervals.md).
[[nodiscard]] double LookAlpha(double alpha, std::size_t look, std::size_t looks);

/// The two-sided level of the intervals at that look when `level` is declared for all of them.
[[nodiscard]] double LookLevel(double level, std::size_t look, std::size_t looks);

/// Why an audit at this look is only descriptive; empty when it is not. `earlier` names the look
/// before it, in words.
[[nodiscard]] std::vector<std::string> LookReasons(std::size_t look, const std::string& earlier,
                                                   const RuleConfig& rule);

}  // namespace gonogo::audit
