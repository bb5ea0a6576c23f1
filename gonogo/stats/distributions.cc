// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/distributions.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "gonogo/base/check.h"

namespace gonogo::stats {

double NormalQuantile(double p) {
  GONOGO_CHECK(p > 0.0 && p < 1.0);
  return boost::math::quantile(boost::math::normal_distribution<double>(), p);
}

double StudentTQuantile(double p, double degrees_of_freedom) {
  GONOGO_CHECK(p > 0.0 && p < 1.0);
  GONOGO_CHECK(degrees_of_freedom > 0.0);
  return boost::math::quantile(boost::math::students_t_distribution<double>(degrees_of_freedom), p);
}

double BetaQuantile(double p, double a, double b) {
  GONOGO_CHECK(p > 0.0 && p < 1.0);
  GONOGO_CHECK(a > 0.0 && b > 0.0);
  return boost::math::quantile(boost::math::beta_distribution<double>(a, b), p);
}

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
