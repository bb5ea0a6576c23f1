// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/rules/violations/logit_normal.h"
#include "gonogo/base/check.h"
#include "gonogo/base/number_text.h"
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

double BetaLower(double events, double queries, double alpha) {
  return events > 0.0 ? stats::BetaQuantile(alpha, events, queries - events + 1.0) : 0.0;
}

double BetaUpper(double events, double queries, double alpha) {
  const double others = queries - events;
  return others > 0.0 ? stats::BetaQuantile(1.0 - alpha, events + 1.0, others) : 1.0;
}

}  // namespace

NetRate EstimateNetRate(std::span<const ClusterEvents> clusters) {
  GONOGO_CHECK(!clusters.empty());
  const EventSums sums(clusters);
  NetRate rate{.point = sums.events / sums.queries};
  if (clusters.size() < 2) return rate;
  double squares = 0.0;
  for (const ClusterEvents& cluster : clusters) {
    const double residual = cluster.events - rate.point * cluster.queries;
    squares += residual * residual;
  }
  const auto count = static_cast<double>(clusters.size());
  rate.se = std::sqrt(count / (count - 1.0) * squares) / sums.queries;
  return rate;
}

RateEstimate EstimateRate(std::span<const ClusterEvents> clusters, double alpha, double icc,
                          double se_floor) {
  GONOGO_CHECK(alpha > 0.0 && alpha < 0.5);
  const NetRate plain = EstimateNetRate(clusters);
  RateEstimate rate{.point = plain.point, .interval = {0.0, 1.0}};
  if (clusters.size() < 2) return rate;
  const EventSums sums(clusters);
  const double queries = sums.queries;
  const auto count = static_cast<double>(clusters.size());
  rate.se = std::max(se_floor, plain.se);
  const double binomial = rate.point * (1.0 - rate.point);
  if (binomial == 0.0) {
    rate.effective_queries = sums.Worth(icc);
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
  const double events = rate.point * rate.effective_queries;
  rate.interval = {BetaLower(events, rate.effective_queries, alpha),
                   BetaUpper(events, rate.effective_queries, alpha)};
  return rate;
}

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

double NetMargin(std::span<const ClusterEvents> clusters, double alpha, double icc, double se,
                 double quantile) {
  std::vector<ClusterEvents> none(clusters.begin(), clusters.end());
  for (ClusterEvents& cluster : none) cluster.events = 0.0;
  return std::max(quantile * se, EstimateRate(none, alpha, icc).interval.upper);
}

std::string DescribeClustering(double seen_icc, const ViolationClustering& clustering) {
  return fmt::format(
      "Violations of one cluster go together with an intra-cluster correlation of {}; at least {} "
      "is assumed, and {} if none had been seen. The upper bound of q was checked for correlations "
      "up to about 0.08 (docs/calibration.md); clusters that are far worse than any drawn here are "
      "beyond it.",
      Decimal(seen_icc, 3), Decimal(clustering.least_icc, 3), Decimal(clustering.icc, 3));
}

}  // namespace gonogo::audit
