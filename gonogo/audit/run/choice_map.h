// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/run/choices.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// What was chosen where a feature lies in one range.
struct ChoiceBin {
  double low = 0.0;  ///< smallest and largest value of the feature among its queries
  double high = 0.0;
  std::size_t queries = 0;
  std::vector<double> share;         ///< of the queries, action by action
  std::vector<double> oracle_share;  ///< the same of the oracle
  double saved = 0.0;                ///< share of the reference's cost that the choices save here
  double violations = 0.0;           ///< share of the choices that break a constraint here
};

/// Where an adapter does what: its held-out choices over the values of one feature.
struct ChoiceMap {
  std::string feature;
  std::vector<std::string> actions;
  std::vector<ChoiceBin> bins = {};  ///< from small to large values, about as many queries in each
};

/// Queries in the order of the feature, in `bins` parts of equal size; equal values stay together.
/// Fails if the table has no such column of features.
[[nodiscard]] Result<ChoiceMap> MapChoices(const PotentialOutcomes& outcomes,
                                           const std::vector<ActionIndex>& choices,
                                           const std::string& feature, std::size_t bins = 6);

/// Refuses a column of features that the table does not have.
[[nodiscard]] Status CheckMappable(const OutcomeTable& table, const std::string& feature);

/// As `result.json` has it: docs/reference/formats.md.
[[nodiscard]] nlohmann::json ToJson(const ChoiceMap& map);

}  // namespace gonogo::audit
