// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/estimands/potential_outcomes.h"

namespace gonogo::audit {

/// For every action the share of the queries at which it is drawn, whatever the query: what nobody
/// needs an adapter for.
using Lottery = std::vector<double>;

/// The cheapest lottery over the clusters weighted by `multiplicity` whose expected violation rate
/// there is at most `kappa`. Under a constraint it may be cheaper than any fixed action: a cheap
/// one that breaks it too often is taken as often as it may be. With one constraint no more than
/// two actions need a share, so that all pairs are all there is to try. Direct alone is always
/// allowed; ties go to the lowest indices.
[[nodiscard]] Lottery BestLottery(const OutcomeTotals& totals,
                                  std::span<const std::uint32_t> multiplicity, double kappa);

/// Expected cost of a lottery in a cluster.
[[nodiscard]] double LotteryCost(const OutcomeTotals& totals, std::size_t cluster,
                                 const Lottery& lottery);

}  // namespace gonogo::audit
