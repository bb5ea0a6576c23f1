// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/choice_map.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// The values of a column of features; an error that says which there are.
Result<std::vector<double>> FeatureValues(const OutcomeTable& table, const std::string& feature) {
  std::string groups;
  for (const FeatureGroup& group : table.features) {
    groups += fmt::format("{}{} to {}", groups.empty() ? "" : ", ", group.columns.front(),
                          group.columns.back());
    const auto found = std::find(group.columns.begin(), group.columns.end(), feature);
    if (found == group.columns.end()) continue;
    const auto column = static_cast<Eigen::Index>(found - group.columns.begin());
    if (!group.levels.empty() && !group.levels[static_cast<std::size_t>(column)].empty()) {
      return UsageError("the feature \"{}\" is a category, expected numbers: a map orders them",
                        feature);
    }
    std::vector<double> values(table.num_queries());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = group.values(static_cast<Eigen::Index>(i), column);
    }
    return values;
  }
  return UsageError("the table has no feature \"{}\"; it has {}", feature,
                    groups.empty() ? "none" : groups);
}

ChoiceBin Summarise(const PotentialOutcomes& outcomes, const std::vector<ActionIndex>& choices,
                    const std::vector<std::size_t>& queries) {
  const OutcomeTable& table = *outcomes.table;
  ChoiceBin bin{.queries = queries.size(),
                .share = std::vector<double>(table.num_actions(), 0.0),
                .oracle_share = std::vector<double>(table.num_actions(), 0.0)};
  const auto count = static_cast<double>(queries.size());
  double chosen = 0.0;
  double reference = 0.0;
  for (const std::size_t query : queries) {
    bin.share[choices[query]] += 1.0 / count;
    bin.oracle_share[outcomes.oracle[query]] += 1.0 / count;
    chosen += table.cost[table.cell(query, choices[query])];
    reference += table.cost[table.cell(query, kDirect)];
    bin.violations += outcomes.violation(query, choices[query]) / count;
  }
  bin.saved =
      table.of_rewards ? Gain(chosen, reference, reference, true) : 1.0 - chosen / reference;
  return bin;
}

}  // namespace

Status CheckMappable(const OutcomeTable& table, const std::string& feature) {
  GONOGO_TRY(FeatureValues(table, feature));
  return {};
}

Result<ChoiceMap> MapChoices(const PotentialOutcomes& outcomes,
                             const std::vector<ActionIndex>& choices, const std::string& feature,
                             std::size_t bins) {
  GONOGO_CHECK(bins > 0 && choices.size() == outcomes.table->num_queries());
  const std::vector<double> values = GONOGO_TRY(FeatureValues(*outcomes.table, feature));
  std::vector<std::size_t> order;
  for (std::size_t query = 0; query < values.size(); ++query) {
    if (!std::isnan(values[query])) order.push_back(query);  // what is missing has no place
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  ChoiceMap map{.feature = feature, .actions = outcomes.table->actions};
  std::size_t begin = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    std::size_t end = (b + 1) * order.size() / bins;
    while (end > begin && end < order.size() && values[order[end]] == values[order[end - 1]]) ++end;
    if (end <= begin) continue;
    const std::vector<std::size_t> part(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                        order.begin() + static_cast<std::ptrdiff_t>(end));
    ChoiceBin bin = Summarise(outcomes, choices, part);
    bin.low = values[part.front()];
    bin.high = values[part.back()];
    map.bins.push_back(std::move(bin));
    begin = end;
  }
  return map;
}

nlohmann::json ToJson(const ChoiceMap& map) {
  nlohmann::json bins = nlohmann::json::array();
  for (const ChoiceBin& bin : map.bins) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"queries", bin.queries},
                    {"share", bin.share},
                    {"oracle_share", bin.oracle_share},
                    {"saved", bin.saved},
                    {"violations", bin.violations}});
  }
  return {{"feature", map.feature}, {"actions", map.actions}, {"bins", std::move(bins)}};
}

}  // namespace gonogo::audit
