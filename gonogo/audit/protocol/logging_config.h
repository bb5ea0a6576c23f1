// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gonogo::audit {

/// How often an action was meant to be tried, at every query alike.
struct ActionPropensity {
  std::string action;
  double probability = 0.0;  ///< in (0, 1)
  bool operator==(const ActionPropensity&) const = default;
};

/// How a log came about: a table in which one action was tried at every query
/// (docs/concepts/logged.md). A table with all actions has no use for any of it.
struct LoggingConfig {
  std::vector<ActionPropensity> propensity = {};  ///< declared; none: a column of the table
  bool estimate = false;   ///< where there is neither; the result is then descriptive
  std::size_t folds = 10;  ///< of clusters, for the models that fill in what was not tried

  bool operator==(const LoggingConfig&) const = default;
};

}  // namespace gonogo::audit
