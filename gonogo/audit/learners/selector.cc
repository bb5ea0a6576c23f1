// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/selector.h"

#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

struct Spread {
  double mean = 0.0;
  double sd = 0.0;
};

/// Mean and standard deviation over members of the value at `first`, `first + stride`, ...
Spread OverMembers(const std::vector<double>& values, std::size_t first, std::size_t stride,
                   std::size_t members, int ddof) {
  Spread spread;
  for (std::size_t m = 0; m < members; ++m) spread.mean += values[first + m * stride];
  spread.mean /= static_cast<double>(members);
  const double divisor = static_cast<double>(members) - ddof;
  if (divisor <= 0.0) return spread;
  double squares = 0.0;
  for (std::size_t m = 0; m < members; ++m) {
    const double deviation = values[first + m * stride] - spread.mean;
    squares += deviation * deviation;
  }
  spread.sd = std::sqrt(squares / divisor);
  return spread;
}

}  // namespace

double MeanWork(const MemberPredictions& predictions, std::size_t query, std::size_t candidate) {
  const std::size_t stride = predictions.queries * predictions.candidates;
  const std::size_t first = predictions.index(0, query, candidate);
  return OverMembers(predictions.work, first, stride, predictions.members, 0).mean;
}

void SelectActions(const MemberPredictions& predictions, double time_limit,
                   const SelectorOptions& options, std::span<ActionIndex> choices) {
  GONOGO_CHECK(choices.size() == predictions.queries);
  GONOGO_CHECK(predictions.members > 0);
  const std::size_t stride = predictions.queries * predictions.candidates;
  const auto spread = [&](const std::vector<double>& values, std::size_t first) {
    return OverMembers(values, first, stride, predictions.members, options.ddof);
  };
  const auto accepted = [&](std::size_t first) {
    if (!predictions.time.empty()) {
      const Spread time = spread(predictions.time, first);
      if (!(time.mean + options.z * time.sd <= time_limit)) return false;
    }
    if (predictions.eligible.empty()) return true;
    const Spread eligible = spread(predictions.eligible, first);
    return eligible.mean - options.z * eligible.sd >= options.min_eligibility;
  };
  for (std::size_t query = 0; query < predictions.queries; ++query) {
    double best = 0.0;  // strictly below zero to leave direct
    choices[query] = kDirect;
    for (std::size_t c = 0; c < predictions.candidates; ++c) {
      const std::size_t first = predictions.index(0, query, c);
      const Spread work = spread(predictions.work, first);
      const double bound = work.mean + options.z * work.sd;
      if (!(bound < best) || !accepted(first)) continue;
      best = bound;
      choices[query] = static_cast<ActionIndex>(c + 1);
    }
  }
}

}  // namespace gonogo::audit
