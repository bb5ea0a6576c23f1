// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/possible.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {
namespace {

constexpr double kGainRounding = 1e-12;  // of ratios of sums
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

void HoldTogether(double& point, stats::Interval& interval, double& refuting,
                  const stats::Interval& possible) {
  for (double* value : {&point, &interval.lower, &interval.upper, &refuting}) {
    if (std::abs(*value) < kGainRounding) *value = 0.0;
    *value = std::clamp(*value, possible.lower, possible.upper);
  }
  interval.lower = std::min(interval.lower, point);
  interval.upper = std::max(interval.upper, point);
}

}  // namespace

double UnseenGain(const OutcomeTotals& totals, double alpha) {
  const double queries = std::accumulate(totals.queries.begin(), totals.queries.end(), 0.0);
  return (1.0 - std::pow(alpha, 1.0 / queries)) * totals.spread;
}

GainLimits::GainLimits(const OutcomeTotals& totals, double level)
    : possible_{-kUnbounded, totals.cost.minCoeff() >= 0.0 ? 1.0 : kUnbounded},
      unseen_(UnseenGain(totals, SatisfyingAlpha(level))),
      unseen_refuting_(UnseenGain(totals, RefutingAlpha(level))) {}

void GainLimits::Settle(double& point, stats::Interval& interval, double& refuting) const {
  interval.lower = std::min(interval.lower, point - unseen_);
  interval.upper = std::max(interval.upper, point + unseen_);
  refuting = std::max(refuting, point + unseen_refuting_);
  HoldTogether(point, interval, refuting, possible_);
}

void SettleRate(const OutcomeTotals& totals, double& point, stats::Interval& interval,
                double& refuting) {
  stats::Interval possible{totals.counts_net_success ? -1.0 : 0.0, 1.0};
  if (!totals.can_violate) possible = {0.0, 0.0};
  HoldTogether(point, interval, refuting, possible);
}

}  // namespace gonogo::audit
