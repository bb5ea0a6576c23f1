// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/text.h"

namespace gonogo::fuzz {

inline bool HasClusters(const audit::OutcomeTable& table) {
  return table.num_actions() >= 2 && table.num_clusters() >= 2 &&
         table.queries.size() == table.num_queries() &&
         std::is_sorted(table.cluster_begin.begin(), table.cluster_begin.end());
}

inline bool AreCosts(const std::vector<double>& costs) {
  return std::all_of(costs.begin(), costs.end(),
                     [](double cost) { return std::isfinite(cost) && cost >= 0.0; });
}

/// Outcomes of every action at every query.
inline bool HasOutcomes(const audit::OutcomeTable& table) {
  const std::size_t cells = table.num_queries() * table.num_actions();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == cells; };
  if (table.cost.size() != cells || !AreCosts(table.cost) || !fits(table.time) ||
      !fits(table.success) || !fits(table.eligible)) {
    return false;
  }
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    if (!(table.cost[table.cell(query, audit::kDirect)] > 0.0)) return false;
  }
  return true;
}

/// Outcomes of the one action that was tried at every query.
inline bool HasLog(const audit::OutcomeTable& table) {
  const audit::LoggedOutcomes& log = *table.logged;
  const std::size_t rows = table.num_queries();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == rows; };
  return table.cost.empty() && log.action.size() == rows && log.cost.size() == rows &&
         AreCosts(log.cost) && fits(log.time) && fits(log.success) && fits(log.eligible) &&
         fits(log.propensity) &&
         std::all_of(log.action.begin(), log.action.end(),
                     [&](audit::ActionIndex action) { return action < table.num_actions(); }) &&
         std::all_of(log.propensity.begin(), log.propensity.end(),
                     [](double share) { return share > 0.0 && share <= 1.0; });
}

inline bool HasNames(const audit::OutcomeTable& table) {
  const auto named = [](const auto& names) {
    return std::all_of(names.begin(), names.end(),
                       [](const std::string& name) { return !name.empty() && IsText(name); });
  };
  return named(table.actions) && named(table.clusters) && named(table.queries) &&
         std::all_of(table.features.begin(), table.features.end(),
                     [&](const auto& group) { return named(group.columns); });
}

/// What the audit counts on and the reader of a table has to have seen to.
inline bool IsSound(const audit::OutcomeTable& table) {
  if (!HasClusters(table) || !HasNames(table)) return false;
  if (!(table.logged ? HasLog(table) : HasOutcomes(table))) return false;
  // What is missing is NaN; positions of levels are checked by the table itself.
  const auto finite = [](const auto& group) { return !group.values.array().isInf().any(); };
  return std::all_of(table.choice.begin(), table.choice.end(),
                     [&](std::size_t choice) { return choice < table.num_actions(); }) &&
         std::all_of(table.features.begin(), table.features.end(), finite) &&
         std::all_of(table.action_features.begin(), table.action_features.end(), finite);
}

}  // namespace gonogo::fuzz
