// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/logged/balance.h"
#include "gonogo/audit/logged/estimators.h"
#include "gonogo/audit/logged/overlap.h"
#include "gonogo/audit/logged/propensities.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

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
