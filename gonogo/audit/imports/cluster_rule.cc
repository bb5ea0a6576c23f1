// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/cluster_rule.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>

#include <fmt/format.h>

#include "gonogo/base/rng.h"
#include "gonogo/io/foreign/open_rows.h"

namespace gonogo::audit {
namespace {

constexpr std::string_view kRules =
    "directory, before:TEXT, regex:EXPRESSION, file:PATH, blocks:N or each";

Error DoesNotFit(std::string_view rule, const std::string& query) {
  return InputError("--cluster {}: query '{}' has no cluster by this rule", rule, query);
}

/// The name up to the position that `find` returns.
template <typename Find>
Result<std::vector<std::string>> Before(std::string_view rule,
                                        const std::vector<std::string>& queries, const Find& find) {
  std::vector<std::string> clusters;
  for (const std::string& query : queries) {
    const std::size_t at = find(query);
    if (at == std::string::npos || at == 0) return DoesNotFit(rule, query);
    clusters.push_back(query.substr(0, at));
  }
  return clusters;
}

Result<std::vector<std::string>> ByExpression(std::string_view rule, const std::string& expression,
                                              const std::vector<std::string>& queries) {
  std::regex pattern;
  try {
    pattern = std::regex(expression);
  } catch (const std::regex_error& error) {
    return UsageError("--cluster {}: not a regular expression: {}", rule, error.what());
  }
  std::vector<std::string> clusters;
  for (const std::string& query : queries) {
    std::smatch match;
    if (!std::regex_search(query, match, pattern)) return DoesNotFit(rule, query);
    const std::string cluster = match.size() > 1 ? match[1].str() : match[0].str();
    if (cluster.empty()) return DoesNotFit(rule, query);
    clusters.push_back(cluster);
  }
  return clusters;
}

Result<std::vector<std::string>> FromFile(std::string_view rule, const std::string& path,
                                          const std::vector<std::string>& queries) {
  io::CsvReader reader = GONOGO_TRY(io::OpenRows(path));
  const std::vector<std::string>& header = reader.header();
  const auto query_at = std::find(header.begin(), header.end(), "query");
  const auto cluster_at = std::find(header.begin(), header.end(), "cluster");
  if (query_at == header.end() || cluster_at == header.end()) {
    return InputError("{}:1: expected the columns query and cluster", path);
  }
  std::map<std::string, std::string> cluster_of;
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    cluster_of[std::string(reader.fields()[static_cast<std::size_t>(query_at - header.begin())])] =
        reader.fields()[static_cast<std::size_t>(cluster_at - header.begin())];
  }
  std::vector<std::string> clusters;
  for (const std::string& query : queries) {
    const auto found = cluster_of.find(query);
    if (found == cluster_of.end() || found->second.empty()) return DoesNotFit(rule, query);
    clusters.push_back(found->second);
  }
  return clusters;
}

Result<std::vector<std::string>> InBlocks(std::string_view rule, std::string_view count,
                                          const std::vector<std::string>& queries) {
  const std::optional<double> blocks = io::ParseNumber(count);
  if (!blocks || *blocks < 2.0 || *blocks > static_cast<double>(queries.size()) ||
      *blocks != std::size_t(*blocks)) {
    return UsageError("--cluster {}: expected a whole number of blocks from 2 to the {} queries",
                      rule, queries.size());
  }
  // By name, so that the order of a file does not matter.
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return queries[a] < queries[b]; });
  Rng rng = RngStream(1).Child("blocks").Generator();
  rng.Shuffle(std::span(order));
  std::vector<std::string> clusters(queries.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    clusters[order[i]] = fmt::format("block-{}", i % static_cast<std::size_t>(*blocks) + 1);
  }
  return clusters;
}

}  // namespace

Result<Clustering> ClusterQueries(std::string_view rule, const std::vector<std::string>& queries) {
  const std::size_t colon = rule.find(':');
  const std::string_view kind = rule.substr(0, colon);
  const std::string argument(colon == std::string_view::npos ? "" : rule.substr(colon + 1));
  const auto make = [](Result<std::vector<std::string>> clusters,
                       std::string unit) -> Result<Clustering> {
    if (!clusters.ok()) return clusters.error();
    return Clustering{std::move(clusters).value(), std::move(unit)};
  };
  if (rule == "each") return Clustering{queries, "query"};
  if (rule == "directory") {
    const auto last_slash = [](const std::string& query) { return query.rfind('/'); };
    return make(Before(rule, queries, last_slash), "folder of the query's name");
  }
  if (argument.empty()) return UsageError("--cluster {}: expected {}", rule, kRules);
  if (kind == "before") {
    const auto first = [&](const std::string& query) { return query.find(argument); };
    return make(Before(rule, queries, first), fmt::format("query's name before '{}'", argument));
  }
  if (kind == "regex") {
    return make(ByExpression(rule, argument, queries), fmt::format("query's name by {}", argument));
  }
  if (kind == "file") return make(FromFile(rule, argument, queries), "cluster of " + argument);
  if (kind == "blocks") {
    return make(InBlocks(rule, argument, queries), "random block of queries");
  }
  return UsageError("--cluster {}: expected {}", rule, kRules);
}

}  // namespace gonogo::audit
