// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/cluster_remarks.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace gonogo::audit {
namespace {

constexpr double kFewQueries = 2.0;        // per cluster on average: hardly more than a row each
constexpr std::size_t kManyClusters = 50;  // that somebody would number by hand

std::optional<long> WholeNumber(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// 0, 1, 2, … or the like.
bool CountUp(const std::vector<std::string>& names) {
  std::optional<long> before;
  for (const std::string& name : names) {
    const std::optional<long> now = WholeNumber(name);
    if (!now.has_value() || (before.has_value() && *now != *before + 1)) return false;
    before = now;
  }
  return true;
}

/// Every cluster begins with a query of its own name.
bool AreNamedLikeQueries(const OutcomeTable& table) {
  if (table.queries.size() != table.num_queries()) return false;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    if (table.queries[table.cluster_begin[k]] != table.clusters[k]) return false;
  }
  return true;
}

constexpr const char* kWhatAClusterIs =
    "A cluster is what is drawn independently at deployment (a site, a source, a seed), with all "
    "its queries; where related queries count as independent, the intervals are too narrow";

}  // namespace

std::vector<std::string> ClusterRemarks(const OutcomeTable& table) {
  const std::size_t clusters = table.num_clusters();
  if (clusters < 2) return {};
  if (clusters == table.num_queries()) {
    return {
        fmt::format("each of the {} clusters has a single query. {}", clusters, kWhatAClusterIs)};
  }
  const double size = static_cast<double>(table.num_queries()) / static_cast<double>(clusters);
  if (size >= kFewQueries || clusters < kManyClusters) return {};
  if (!CountUp(table.clusters) && !AreNamedLikeQueries(table)) return {};
  return {
      fmt::format("the names of the {} clusters ({}, {}, …) look like row numbers: there are "
                  "{:.1f} queries in a cluster. {}",
                  clusters, table.clusters[0], table.clusters[1], size, kWhatAClusterIs)};
}

}  // namespace gonogo::audit
