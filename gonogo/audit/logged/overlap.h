// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/logged/propensities.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// How much of a log speaks about one action. A weight is 1 / propensity of a try.
struct ActionOverlap {
  std::size_t tries = 0;
  std::size_t clusters = 0;        ///< in which it was tried
  double effective_tries = 0.0;    ///< (sum of weights)^2 / sum of squared weights
  double least_propensity = 1.0;   ///< of a try
  double largest_weight = 0.0;     ///< share of one try in the weights
  double mean_weight = 0.0;        ///< over all queries; 1 where propensities are right
  double mean_weight_error = 0.0;  ///< its standard error over clusters
};

struct LogOverlap {
  std::vector<ActionOverlap> actions;
  std::vector<double> cluster_effective;  ///< effective number of queries, by cluster
  double effective_queries = 0.0;         ///< of the whole log
};

[[nodiscard]] LogOverlap MeasureOverlap(const OutcomeTable& log,
                                        std::span<const double> propensity);

/// Refuses a log that nothing can be learned from: an action that was never tried, or in too few
/// clusters for models that leave folds of clusters out; whole clusters with one action each; tries
/// that were certain; propensities that contradict how often actions were tried.
[[nodiscard]] Status CheckOverlap(const OutcomeTable& log, const Propensities& propensities,
                                  const LogOverlap& overlap,
                                  std::span<const std::size_t> fold_of_cluster);

/// Clusters in which an action has to be tried for a decision about it.
inline constexpr std::size_t kFewestClustersTried = 10;

/// Warnings about a log that can be read but says little.
[[nodiscard]] std::vector<std::string> OverlapRemarks(const OutcomeTable& log,
                                                      const LogOverlap& overlap);

/// How far the tries of one action, weighted by 1 / propensity, are from all queries in the feature
/// in which they are furthest off. Right propensities balance every feature, up to chance.
struct ActionBalance {
  std::string feature = {};      ///< empty where no feature varies
  double difference = 0.0;       ///< of the means, in standard deviations of the feature
  double standard_errors = 0.0;  ///< the same in its standard errors over clusters
};

/// One entry per action.
[[nodiscard]] std::vector<ActionBalance> MeasureBalance(const OutcomeTable& log,
                                                        std::span<const double> propensity);

/// Warns of features that propensities leave out of balance by more than chance explains: one false
/// alarm in a thousand logs, over all actions and features.
[[nodiscard]] std::vector<std::string> BalanceRemarks(const OutcomeTable& log,
                                                      std::span<const ActionBalance> balance);

}  // namespace gonogo::audit
