// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/audit/estimands/choice_totals.h"
#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// One action that was tried at a query, with the probability with which it was. A log has one for
/// every query; a table of all actions has one for every query and action, all with probability 1.
struct Try {
  std::size_t query = 0;
  ActionIndex action = kDirect;
  double propensity = 1.0;
};

/// The doubly robust score of an outcome that was seen with probability `propensity`,
/// prediction + (seen - prediction) / propensity, written so that an outcome that was certain to be
/// seen is returned to the bit. Where nothing was seen the score is the prediction.
[[nodiscard]] inline double DoublyRobust(double predicted, double seen, double propensity) {
  return seen / propensity + (1.0 - 1.0 / propensity) * predicted;
}

/// The mean cost of a way to choose, estimated in three ways (docs/concepts/logged.md).
struct ValueEstimates {
  double doubly_robust = 0.0;    ///< decides
  double self_normalised = 0.0;  ///< weighted mean of what was seen; not a number without any
  double direct_method = 0.0;    ///< what the models predict
};

/// Of always taking the action; `table` has scores.
[[nodiscard]] ValueEstimates ValueOfAction(const OutcomeTable& table, ActionIndex action);

/// Of the choices in several clusters together, which have `queries` queries.
[[nodiscard]] ValueEstimates ValueOfChoices(const std::vector<const ChoiceTotals*>& clusters,
                                            double queries);

}  // namespace gonogo::audit
