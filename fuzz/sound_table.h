// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/text.h"

namespace gonogo::fuzz {

inline bool IsWhole(const audit::OutcomeTable& table) {
  const std::size_t cells = table.num_queries() * table.num_actions();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == cells; };
  return table.num_actions() >= 2 && table.num_clusters() >= 2 && table.cost.size() == cells &&
         table.queries.size() == table.num_queries() && fits(table.time) && fits(table.success) &&
         fits(table.eligible) &&
         std::is_sorted(table.cluster_begin.begin(), table.cluster_begin.end());
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
  if (!IsWhole(table) || !HasNames(table)) return false;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    if (!(table.cost[table.cell(query, audit::kDirect)] > 0.0)) return false;
  }
  const auto finite = [](const auto& group) { return group.values.allFinite(); };
  return std::all_of(table.cost.begin(), table.cost.end(),
                     [](double cost) { return std::isfinite(cost) && cost >= 0.0; }) &&
         std::all_of(table.choice.begin(), table.choice.end(),
                     [&](std::size_t choice) { return choice < table.num_actions(); }) &&
         std::all_of(table.features.begin(), table.features.end(), finite) &&
         std::all_of(table.action_features.begin(), table.action_features.end(), finite);
}

}  // namespace gonogo::fuzz
