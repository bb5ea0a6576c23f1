// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::audit {

/// Where the adapter will be used. The two have different answers: what helps at other queries of a
/// family that was seen may help nowhere else.
enum class Deployment {
  kNewClusters,    ///< whole clusters are held out and resampled
  kKnownClusters,  ///< blocks of queries are, so that other queries of the same clusters were seen
};

/// What an action may not do. q is the share of the choices that do it.
enum class Constraint {
  kSuccessAndTime,  ///< fail where the reference succeeds, or take too long; or be called
                    ///< ineligible
  kSuccess,         ///< fail where the reference succeeds; times are not looked at
  kNetSuccess,      ///< the same, and every query that only the action solves makes up for one lost
  kNone,            ///< nothing is forbidden: the cost says it all
};

/// The question an audit asks of its table.
struct QuestionConfig {
  Deployment deploy = Deployment::kNewClusters;
  std::size_t blocks = 40;  ///< of queries, for known clusters
  Constraint constraint = Constraint::kSuccessAndTime;
  double failure_price = 1.0;  ///< a failed action costs so many times what the table says

  bool operator==(const QuestionConfig&) const = default;
};

}  // namespace gonogo::audit
