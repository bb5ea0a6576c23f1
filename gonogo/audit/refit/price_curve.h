// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// An estimate over held-out clusters with its interval; learners are taken as they were fitted.
struct CurveEstimate {
  double point = 0.0;
  stats::Interval interval;
};

/// What can be saved where at most so much success may be lost on average.
struct CurvePoint {
  double allowed = 0.0;  ///< net share of the queries
  double price = 0.0;    ///< of a success, λ: the median of those found without each cluster
  double departs =
      0.0;             ///< share of the queries at which another action than the reference is taken
  CurveEstimate lost;  ///< success, as a net share of the queries
  CurveEstimate saved;  ///< share of the reference's cost
  double random = 0.0;  ///< saved by the best random mixture of fixed actions that loses no more
  double oracle = 0.0;  ///< saved by choices that know all outcomes and lose no more
};

/// A fixed action in the same plane.
struct CurveAction {
  std::string name;
  double lost = 0.0;
  double saved = 0.0;
};

/// Cost against success: the price of a success is found inside the training clusters of every
/// held-out one, for every allowance, and never sees it.
struct PriceCurve {
  double rate = 0.0;  ///< at which fixed actions trade cost for a success
  std::vector<CurvePoint> points = {};
  std::vector<CurveAction> actions = {};
};

/// The curve of an audit whose constraint is "mean success".
[[nodiscard]] Result<PriceCurve> DrawPriceCurve(const AskedProblem& asked, const Protocol& protocol,
                                                const Execution& execution);

/// What the best random mixture of two fixed actions saves that loses at most `allowed`.
[[nodiscard]] double SavedByMixture(const std::vector<CurveAction>& actions, double allowed);

}  // namespace gonogo::audit
