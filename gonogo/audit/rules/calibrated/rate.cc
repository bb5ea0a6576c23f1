// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/rate.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

double DesignEffect(std::span<const ClusterEvents> clusters, double queries, double icc) {
  double squares = 0.0;
  for (const ClusterEvents& cluster : clusters) squares += cluster.queries * cluster.queries;
  return 1.0 + (squares / queries - 1.0) * icc;
}

stats::Interval BetaBounds(double events, double queries, double alpha) {
  stats::Interval bounds{0.0, 1.0};
  const double others = queries - events;
  if (events > 0.0) bounds.lower = stats::BetaQuantile(alpha, events, others + 1.0);
  if (others > 0.0) bounds.upper = stats::BetaQuantile(1.0 - alpha, events + 1.0, others);
  return bounds;
}

}  // namespace

RateEstimate EstimateRate(std::span<const ClusterEvents> clusters, double alpha, double icc,
                          double se_floor) {
  GONOGO_CHECK(!clusters.empty() && alpha > 0.0 && alpha < 0.5);
  double queries = 0.0;
  double events = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    queries += cluster.queries;
    events += cluster.events;
  }
  RateEstimate rate{.point = events / queries, .interval = {0.0, 1.0}};
  const auto count = static_cast<double>(clusters.size());
  if (clusters.size() < 2) return rate;
  double squares = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    const double residual = cluster.events - rate.point * cluster.queries;
    squares += residual * residual;
  }
  rate.se = std::max(se_floor, std::sqrt(count / (count - 1.0) * squares) / queries);
  const double binomial = rate.point * (1.0 - rate.point);
  if (binomial == 0.0) {
    rate.effective_queries = queries / DesignEffect(clusters, queries, icc);
  } else {
    const double independent = rate.se > 0.0 ? std::clamp(binomial / (rate.se * rate.se),
                                                          std::min(count - 1.0, queries), queries)
                                             : queries;
    const double few_clusters = queries > 1.0
                                    ? stats::StudentTQuantile(1.0 - alpha, queries - 1.0) /
                                          stats::StudentTQuantile(1.0 - alpha, count - 1.0)
                                    : 1.0;
    rate.effective_queries = independent * few_clusters * few_clusters;
  }
  rate.interval = BetaBounds(rate.point * rate.effective_queries, rate.effective_queries, alpha);
  return rate;
}

}  // namespace gonogo::audit
