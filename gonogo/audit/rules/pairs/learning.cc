// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/learning.h"

#include <algorithm>

#include "gonogo/audit/rules/calibrated/gain.h"

namespace gonogo::audit {

double LearningCredit(double without_pair, double refits, std::size_t clusters, double se) {
  if (clusters < kFewestForLearning) return 0.0;
  const auto all = static_cast<double>(clusters);
  const double seen = all * (1.0 - HeldOutProbability(clusters));
  const double ahead = 1.0 / (all - 2.0) - 1.0 / all;
  const double behind = 1.0 / seen - 1.0 / (all - 2.0);
  const double credit = (without_pair - refits) * ahead / behind;
  return std::clamp(credit, 0.0, kMostLearning * se);
}

}  // namespace gonogo::audit
