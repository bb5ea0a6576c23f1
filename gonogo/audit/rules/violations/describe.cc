// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/describe.h"

#include <fmt/format.h>

#include "gonogo/base/number_text.h"

namespace gonogo::audit {

std::string DescribeClustering(double seen_icc, const ViolationClustering& clustering) {
  return fmt::format(
      "Violations of one cluster go together with an intra-cluster correlation of {}; at least {} "
      "is assumed, and {} if none had been seen. The upper bound of q was checked for correlations "
      "up to about 0.08 (docs/calibration.md); clusters that are far worse than any drawn here are "
      "beyond it.",
      Decimal(seen_icc, 3), Decimal(clustering.least_icc, 3), Decimal(clustering.icc, 3));
}

}  // namespace gonogo::audit
