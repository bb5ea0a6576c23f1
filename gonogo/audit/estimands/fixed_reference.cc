// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/fixed_reference.h"

#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::audit {

ActionIndex SelectFixedAction(const OutcomeTotals& totals,
                              std::span<const std::uint32_t> multiplicity, double kappa) {
  GONOGO_CHECK(multiplicity.size() == totals.queries.size());
  double queries = 0.0;
  Eigen::ArrayXd cost = Eigen::ArrayXd::Zero(totals.cost.cols());
  Eigen::ArrayXd violations = Eigen::ArrayXd::Zero(totals.cost.cols());
  for (std::size_t k = 0; k < multiplicity.size(); ++k) {
    if (multiplicity[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    queries += multiplicity[k] * totals.queries[k];
    cost += multiplicity[k] * totals.cost.row(row).transpose();
    violations += multiplicity[k] * totals.violations.row(row).transpose();
  }
  GONOGO_CHECK(queries > 0.0);
  ActionIndex best = kDirect;
  for (ActionIndex action = 1; action < cost.size(); ++action) {
    if (violations[action] / queries <= kappa && cost[action] < cost[best]) best = action;
  }
  return best;
}

}  // namespace gonogo::audit
