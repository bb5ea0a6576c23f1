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

/// What one look at growing data may spend.
struct LookShare {
  std::size_t look = 1;   ///< which of the declared ones this is
  std::size_t looks = 1;  ///< how many are declared
  double alpha = 0.0;     ///< one-sided error of this look
};

/// The share of look number `look`, taken at so many clusters, of the declared one-sided `alpha`.
/// Where looks are declared by clusters (`rule.looks_at`), the share t = clusters / last of the
/// information decides, whatever the number of the look (Lan and DeMets): the increments of alpha
/// ln(1 + (e - 1) t), or of O'Brien and Fleming's function. Again they add up to alpha and the
/// union bound holds. A number of clusters that was not declared gets the share of the declared one
/// before it, or of the first, and is not confirmatory.
[[nodiscard]] LookShare ShareOfLook(double alpha, const RuleConfig& rule, std::size_t look,
                                    std::size_t clusters);

/// The two-sided level of the intervals at that look when `level` is declared for all of them.
[[nodiscard]] double LookLevel(double level, const RuleConfig& rule, std::size_t look,
                               std::size_t clusters);

/// Whether `rule.looks_at` declares a look at so many clusters.
[[nodiscard]] bool IsDeclaredLook(const RuleConfig& rule, std::size_t clusters);

/// Why an audit at this look is only descriptive; empty when it is not. `earlier` names the look
/// before it, in words.
[[nodiscard]] std::vector<std::string> LookReasons(std::size_t look, std::size_t clusters,
                                                   const std::string& earlier,
                                                   const RuleConfig& rule);

}  // namespace gonogo::audit
