// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/rules/violations/rate.h"

namespace gonogo::audit {

/// Upper bound of a rate whose level differs between clusters, normally distributed on the logit
/// scale: the largest mean rate q at which
///   2 (max log-likelihood - max over the spread of the levels of log-likelihood(q, spread)) <= t^2
/// with t the upper `alpha` quantile of Student's t on K - 1 degrees of freedom. Rates of that kind
/// are skewed: where no cluster with a high level was drawn, mean and scatter are low together, and
/// a bound made of the two misses. This one asks which spreads the counts still allow
/// (docs/concepts/intervals.md). On a grid, interpolated; 1 with fewer than two clusters.
[[nodiscard]] double LogitNormalUpper(std::span<const ClusterEvents> clusters, double alpha);

}  // namespace gonogo::audit
