// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/upper_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gonogo/audit/rules/violations/logit_normal.h"
#include "gonogo/base/check.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

struct EventSums {
  double queries = 0.0;
  double events = 0.0;
  double squared_sizes = 0.0;

  explicit EventSums(std::span<const ClusterEvents> clusters) {
    for (const ClusterEvents& cluster : clusters) {
      queries += cluster.queries;
      events += cluster.events;
      squared_sizes += cluster.queries * cluster.queries;
    }
  }
  /// Independent queries that as many correlated ones are worth.
  [[nodiscard]] double Worth(double icc) const {
    return queries / (1.0 + (squared_sizes / queries - 1.0) * icc);
  }
};

double BetaUpper(double events, double queries, double alpha) {
  const double others = queries - events;
  return others > 0.0 ? stats::BetaQuantile(1.0 - alpha, events + 1.0, others) : 1.0;
}

}  // namespace

double SeenIcc(std::span<const ClusterEvents> clusters) {
  const EventSums sums(clusters);
  const auto count = static_cast<double>(clusters.size());
  const double rate = sums.events / sums.queries;
  if (clusters.size() < 2 || rate <= 0.0 || rate >= 1.0 || sums.queries <= count) return 0.0;
  double between = 0.0;
  double within = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    const double own = cluster.events / cluster.queries;
    between += cluster.queries * (own - rate) * (own - rate);
    within += cluster.events * (1.0 - own);
  }
  between /= count - 1.0;
  within /= sums.queries - count;
  const double size = (sums.queries - sums.squared_sizes / sums.queries) / (count - 1.0);
  const double total = between + (size - 1.0) * within;
  return total > 0.0 ? std::max(0.0, (between - within) / total) : 0.0;
}

UpperRate BoundRate(std::span<const ClusterEvents> clusters, double alpha,
                    const ViolationClustering& clustering) {
  GONOGO_CHECK(!clusters.empty());
  if (clusters.size() < 2) return {};
  const EventSums sums(clusters);
  const RateEstimate plain = EstimateRate(clusters, alpha, clustering.icc);
  UpperRate upper{.seen_icc = SeenIcc(clusters)};
  upper.effective_queries = std::min(plain.effective_queries, sums.Worth(clustering.least_icc));
  const double worth = sums.Worth(clustering.icc);
  upper.bound =
      std::max({BetaUpper(plain.point * upper.effective_queries, upper.effective_queries, alpha),
                LogitNormalUpper(clusters, alpha), BetaUpper(0.0, worth, alpha)});
  return upper;
}

double ShippedBound(double rate, double bound, double shift, double extra_variance,
                    double quantile) {
  const double margin = std::max(0.0, bound - rate);
  const double widened =
      std::sqrt(margin * margin + quantile * quantile * std::max(0.0, extra_variance));
  return std::clamp(rate + shift + widened, 0.0, 1.0);
}

}  // namespace gonogo::audit
