// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/lottery.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::audit {

Lottery BestLottery(const OutcomeTotals& totals, std::span<const std::uint32_t> multiplicity,
                    double kappa) {
  GONOGO_CHECK(multiplicity.size() == totals.queries.size());
  const Eigen::Index actions = totals.cost.cols();
  double queries = 0.0;
  Eigen::ArrayXd cost = Eigen::ArrayXd::Zero(actions);
  Eigen::ArrayXd violations = Eigen::ArrayXd::Zero(actions);
  for (std::size_t k = 0; k < multiplicity.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    queries += multiplicity[k] * totals.queries[k];
    cost += multiplicity[k] * totals.cost.row(row).transpose();
    violations += multiplicity[k] * totals.violations.row(row).transpose();
  }
  GONOGO_CHECK(queries > 0.0);
  const Eigen::ArrayXd rate = violations / queries;
  Lottery best(static_cast<std::size_t>(actions), 0.0);
  best[kDirect] = 1.0;
  double least = cost[kDirect];
  const auto offer = [&](Eigen::Index a, Eigen::Index b, double share) {
    const double offered = share * cost[a] + (1.0 - share) * cost[b];
    if (!(offered < least)) return;
    least = offered;
    std::fill(best.begin(), best.end(), 0.0);
    best[static_cast<std::size_t>(a)] = share;
    best[static_cast<std::size_t>(b)] += 1.0 - share;
  };
  for (Eigen::Index a = 0; a < actions; ++a) {
    if (rate[a] <= kappa) offer(a, a, 1.0);
    for (Eigen::Index b = 0; b < actions; ++b) {
      // As much of a, which breaks too often, as b leaves room for.
      if (rate[a] > kappa && rate[b] < kappa) offer(a, b, (kappa - rate[b]) / (rate[a] - rate[b]));
    }
  }
  return best;
}

double LotteryCost(const OutcomeTotals& totals, std::size_t cluster, const Lottery& lottery) {
  double cost = 0.0;
  for (std::size_t a = 0; a < lottery.size(); ++a) {
    cost +=
        lottery[a] * totals.cost(static_cast<Eigen::Index>(cluster), static_cast<Eigen::Index>(a));
  }
  return cost;
}

}  // namespace gonogo::audit
