// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/signs.h"

#include <algorithm>
#include <cmath>

namespace gonogo::stats {

double SignTest(std::span<const double> differences) {
  int above = 0;
  int below = 0;
  for (const double d : differences) {
    above += d > 0.0 ? 1 : 0;
    below += d < 0.0 ? 1 : 0;
  }
  const int n = above + below;
  double probability = std::exp2(-n);  // of k successes in n fair tosses, from k = 0 on
  double tail = 0.0;
  for (int k = 0; k <= std::min(above, below); ++k) {
    tail += probability;
    probability *= static_cast<double>(n - k) / (k + 1);
  }
  return std::min(2.0 * tail, 1.0);
}

}  // namespace gonogo::stats
