// SPDX-License-Identifier: Apache-2.0
#include "gonogo/stats/distributions.h"

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

}  // namespace gonogo::stats
