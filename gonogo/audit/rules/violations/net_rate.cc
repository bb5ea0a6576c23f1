// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/net_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::audit {

NetRate EstimateNetRate(std::span<const ClusterEvents> clusters) {
  GONOGO_CHECK(!clusters.empty());
  double queries = 0.0;
  double net = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    queries += cluster.queries;
    net += cluster.events;
  }
  NetRate rate{.point = net / queries};
  if (clusters.size() < 2) return rate;
  double squares = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    const double residual = cluster.events - rate.point * cluster.queries;
    squares += residual * residual;
  }
  const auto count = static_cast<double>(clusters.size());
  rate.se = std::sqrt(count / (count - 1.0) * squares) / queries;
  return rate;
}

double NetMargin(std::span<const ClusterEvents> clusters, double alpha, double icc, double se,
                 double quantile) {
  std::vector<ClusterEvents> none(clusters.begin(), clusters.end());
  for (ClusterEvents& cluster : none) cluster.events = 0.0;
  return std::max(quantile * se, EstimateRate(none, alpha, icc).interval.upper);
}

}  // namespace gonogo::audit
