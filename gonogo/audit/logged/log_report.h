// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/estimands/choice_totals.h"
#include "gonogo/audit/logged/overlap.h"
#include "gonogo/audit/logged/propensities.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/stats/interval.h"

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

/// What q is in an audit of a log (docs/concepts/logged.md).
enum class LogConstraint {
  kNothing,        ///< nothing is forbidden
  kAbsolute,       ///< what the table calls ineligible, of the action that was tried alone
  kNet,            ///< success lost, less success gained, on average
  kNotIdentified,  ///< compares two actions at one query, of which a log shows one
};

/// What an audit of a log says besides its verdict: what it rests on.
struct LogReport {
  PropensitySource source = PropensitySource::kColumn;
  LogConstraint constraint = LogConstraint::kNothing;
  std::string not_identified = {};  ///< why, where the constraint is not; begins mid-sentence
  LogOverlap overlap = {};
  std::vector<ActionBalance> balance = {};
  std::string models = {};  ///< name of the learner that predicts what was not tried
  std::size_t folds = 0;    ///< of clusters, for those models
  double explained = 0.0;   ///< share of the variance of the costs seen that they predict
  std::vector<ValueEstimates> fixed = {};      ///< mean cost of every action
  std::optional<ValueEstimates> adapter = {};  ///< mean cost of the cross-fitted adapter
  /// What the share of queries at which the adapter fails and the reference succeeds lies between,
  /// whatever the log does not show; only where success was recorded.
  std::optional<stats::Interval> lost_success = {};
};

}  // namespace gonogo::audit
