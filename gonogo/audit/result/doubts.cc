// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/doubts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "gonogo/audit/result/feature_columns.h"
#include "gonogo/base/number_text.h"
#include "gonogo/stats/distributions.h"
#include "gonogo/stats/interval.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

constexpr double kMostlyShared = 0.5;       // of the queries of a cluster that are found in another
constexpr double kUsuallyShared = 0.25;     // as much of any two clusters: outcomes are few values
constexpr std::size_t kFewClusters = 6;     // too few to say what is usual
constexpr double kTrendLevel = 0.001;       // of all trends together
constexpr std::size_t kMostClusters = 400;  // that are compared two by two

/// All numbers of a query.
std::size_t HashOfRow(const OutcomeTable& table, const std::vector<TableFeature>& columns,
                      std::size_t query) {
  std::vector<double> row(table.cost.begin() + static_cast<long>(table.cell(query, kDirect)),
                          table.cost.begin() + static_cast<long>(table.cell(query + 1, kDirect)));
  for (const TableFeature& column : columns) row.push_back(column.at(query));
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
}

/// Two clusters and a number for them.
struct ClusterPairValue {
  std::size_t first = 0;
  std::size_t second = 0;
  double value = 0.0;
};

double UsualOf(const std::vector<ClusterPairValue>& pairs) {
  std::vector<double> values;
  for (const ClusterPairValue& pair : pairs) values.push_back(pair.value);
  std::sort(values.begin(), values.end());
  return stats::Quantile(values, 0.5);
}

/// Of the smaller of two clusters the share of different queries that the other one has, too.
std::vector<ClusterPairValue> SharedQueries(const OutcomeTable& table) {
  const std::vector<TableFeature> columns = FeatureColumns(table);
  const std::size_t clusters = table.num_clusters();
  std::map<std::size_t, std::set<std::size_t>> seen_in;  // by the hash of a query, its clusters
  for (std::size_t k = 0; k < clusters; ++k) {
    const QueryRange range = table.queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      seen_in[HashOfRow(table, columns, query)].insert(k);
    }
  }
  std::vector<double> different(clusters, 0.0);
  std::vector<double> shared(clusters * clusters, 0.0);
  for (const auto& [hash, where] : seen_in) {
    for (const std::size_t k : where) {
      different[k] += 1.0;
      for (const std::size_t j : where) shared[k * clusters + j] += 1.0;
    }
  }
  std::vector<ClusterPairValue> pairs;
  for (std::size_t k = 1; k < clusters; ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      pairs.push_back({j, k, shared[k * clusters + j] / std::min(different[j], different[k])});
    }
  }
  return pairs;
}

Doubt CopyDoubt(const OutcomeTable& table, const ClusterPairValue& pair, std::size_t found,
                const std::string& how) {
  return {.kind = kDoubts[0],
          .what = fmt::format("cluster “{}” is {} of cluster “{}”{}", table.clusters[pair.second],
                              how, table.clusters[pair.first],
                              found > 1 ? fmt::format(" ({} such pairs of clusters)", found) : ""),
          .check =
              "Was a cluster entered twice, under two names? Copies count as evidence that nobody "
              "has. Take them out",
          .forbids_go = true};
}

bool HasManyDigits(double value) {
  const double thousandths = 1000.0 * value;
  return std::abs(thousandths - std::round(thousandths)) > 1e-3 * std::max(1.0, std::abs(value));
}

/// Values of the features that do not vary within any cluster, for one cluster.
std::vector<std::vector<double>> ClusterFeatures(const OutcomeTable& table) {
  std::vector<std::vector<double>> of_cluster(table.num_clusters());
  for (const TableFeature& column : FeatureColumns(table)) {
    bool constant = true;
    std::vector<double> value;
    for (std::size_t k = 0; constant && k < table.num_clusters(); ++k) {
      const QueryRange range = table.queries_of(k);
      value.push_back(column.at(range.begin));
      for (std::size_t query = range.begin + 1; constant && query < range.end; ++query) {
        constant = column.at(query) == value.back();
      }
    }
    if (!constant || std::none_of(value.begin(), value.end(), HasManyDigits)) continue;
    for (std::size_t k = 0; k < value.size(); ++k) of_cluster[k].push_back(value[k]);
  }
  return of_cluster;
}

}  // namespace

std::vector<Doubt> FindCopies(const OutcomeTable& table) {
  if (table.scored.has_value() || table.num_clusters() < kFewClusters ||
      table.num_clusters() > kMostClusters) {
    return {};
  }
  const std::vector<ClusterPairValue> shared = SharedQueries(table);
  const auto most = std::max_element(
      shared.begin(), shared.end(),
      [](const ClusterPairValue& a, const ClusterPairValue& b) { return a.value < b.value; });
  if (most->value < kMostlyShared || UsualOf(shared) >= kUsuallyShared) return {};
  const auto found = std::count_if(shared.begin(), shared.end(), [](const ClusterPairValue& pair) {
    return pair.value >= kMostlyShared;
  });
  return {CopyDoubt(
      table, *most, static_cast<std::size_t>(found),
      most->value == 1.0 ? "a copy" : fmt::format("to {} a copy", Percent(most->value, 0)))};
}

std::vector<Doubt> FindPieces(const OutcomeTable& table) {
  const std::vector<std::vector<double>> of_cluster = ClusterFeatures(table);
  std::map<std::vector<double>, std::size_t> sites;
  for (const std::vector<double>& features : of_cluster) ++sites[features];
  if (of_cluster.front().empty() || sites.size() < 2) return {};
  std::size_t shared = 0;
  for (const auto& [features, clusters] : sites) shared += clusters > 1 ? clusters : 0;
  if (2 * shared < of_cluster.size()) return {};
  return {{.kind = kDoubts[1],
           .what = fmt::format("{} of the {} clusters share all features that do not vary within a "
                               "cluster with another one, to many digits: there are {} different "
                               "ones",
                               shared, of_cluster.size(), sites.size()),
           .check = "Were sites cut into pieces? A cluster is a whole site; its pieces repeat what "
                    "it has said"}};
}

std::vector<Doubt> FindTrends(const PotentialOutcomes& outcomes) {
  const OutcomeTotals& totals = outcomes.totals;
  const std::size_t clusters = totals.queries.size();
  if (clusters < kFewClusters || outcomes.table->scored.has_value()) return {};
  const auto count = static_cast<double>(clusters);
  const double tests = static_cast<double>(totals.cost.cols() - 1);
  const double limit = stats::StudentTQuantile(1.0 - 0.5 * kTrendLevel / tests, count - 2.0);
  std::vector<double> place(clusters);
  std::iota(place.begin(), place.end(), 0.5 - 0.5 * count);
  double place_squares = 0.0;
  for (const double x : place) place_squares += x * x;
  for (Eigen::Index a = 1; a < totals.cost.cols(); ++a) {
    std::vector<double> relative(clusters);
    double slope = 0.0;
    for (std::size_t k = 0; k < clusters; ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      relative[k] = totals.cost(row, a) / totals.cost(row, kDirect);
      slope += place[k] * relative[k] / place_squares;
    }
    const double mean = stats::Mean(relative);
    double residuals = 0.0;
    for (std::size_t k = 0; k < clusters; ++k) {
      residuals += std::pow(relative[k] - mean - slope * place[k], 2);
    }
    const double se = std::sqrt(residuals / (count - 2.0) / place_squares);
    if (!(se > 0.0) || std::abs(slope) <= limit * se) continue;
    return {{.kind = kDoubts[3],
             .what = fmt::format(
                 "the cost of “{}” against the reference drifts over the clusters in the order of "
                 "the table, by {} from the first to the last",
                 outcomes.table->actions[static_cast<std::size_t>(a)],
                 Percent(slope * (count - 1.0), 1)),
             .check = "Does the order mean time? Then new clusters may lie where the drift leads, "
                      "and the intervals are about clusters like those seen"}};
  }
  return {};
}

std::vector<Doubt> FindDoubts(const PotentialOutcomes& outcomes, Deployment deploy) {
  std::vector<Doubt> doubts = FindLeaks(outcomes);
  if (deploy == Deployment::kKnownClusters) return doubts;
  for (auto&& more :
       {FindCopies(*outcomes.table), FindPieces(*outcomes.table), FindTrends(outcomes)}) {
    doubts.insert(doubts.end(), more.begin(), more.end());
  }
  return doubts;
}

std::vector<Doubt> Unexplained(std::vector<Doubt> doubts,
                               const std::vector<std::string>& explained) {
  std::erase_if(doubts, [&](const Doubt& doubt) {
    return std::find(explained.begin(), explained.end(), doubt.kind) != explained.end();
  });
  return doubts;
}

}  // namespace gonogo::audit
