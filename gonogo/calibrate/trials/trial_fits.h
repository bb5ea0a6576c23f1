// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/calibrate/trials/rules.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::calibrate {

/// What takes long about one simulated data set: the fits behind an audit and the truth about the
/// adapter that would ship. Every rule can be applied to it later.
struct TrialFits {
  Truth truth;
  double fit_seconds = 0.0;  ///< CPU time of the fits alone; varies from run to run
  std::vector<audit::Refit> folds;
  std::vector<audit::Refit> replicates;
  std::vector<audit::Refit> pairs;  ///< without pairs of clusters, then the shipped one
  RuleOutcome oracle = {};          ///< tested on fresh clusters (oracle.h)
  double pair_seconds = 0.0;        ///< CPU time of the fits in `pairs`
  /// Of a log's scores, while they are at hand: kept fits are without them.
  std::optional<audit::OutcomeTotals> totals = {};
};

/// The tasks behind the fits of one data set.
struct TrialTasks {
  std::vector<audit::RefitTask> folds;
  std::vector<audit::RefitTask> replicates;
  std::vector<audit::RefitTask> pairs;
  bool of_scores = false;  ///< of a log: violations are no counts
};

/// The truth, and of every held-out cluster what the rules read: action counts, cost of the
/// choices (not split by action) and violations; of a fit without a pair also how often it departs
/// from direct. Splits follow from the seed and are left out. `of_scores` as in their tasks.
[[nodiscard]] std::string EncodeFits(const TrialFits& fits, bool of_scores);

/// The fits of the given tasks; nothing when the bytes do not belong to them.
[[nodiscard]] std::optional<TrialFits> DecodeFits(std::string_view bytes, const TrialTasks& tasks,
                                                  std::size_t actions);

}  // namespace gonogo::calibrate
