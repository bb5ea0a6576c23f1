// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/selector.h"

#include "gonogo/base/check.h"

namespace gonogo::audit {
adapter::Gate GateOf(const SelectorOptions& options, double time_limit) {
  return {.z = options.z,
          .ddof = options.ddof,
          .min_eligibility = options.min_eligibility,
          .time_limit = time_limit};
}

adapter::EffectView<double> EffectsAt(const MemberPredictions& predictions, std::size_t query) {
  const std::size_t first = predictions.index(0, query, 0);
  const auto from = [&](const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data() + first;
  };
  return {.work = from(predictions.work),
          .time = from(predictions.time),
          .eligible = from(predictions.eligible),
          .stride = predictions.queries * predictions.candidates,
          .members = predictions.members,
          .candidates = predictions.candidates};
}

double MeanWork(const MemberPredictions& predictions, std::size_t query, std::size_t candidate) {
  const std::size_t stride = predictions.queries * predictions.candidates;
  const std::size_t first = predictions.index(0, query, candidate);
  return adapter::OverMembers(predictions.work.data() + first, stride, predictions.members, 0).mean;
}

void SelectActions(const MemberPredictions& predictions, double time_limit,
                   const SelectorOptions& options, std::span<ActionIndex> choices) {
  GONOGO_CHECK(choices.size() == predictions.queries);
  GONOGO_CHECK(predictions.members > 0);
  const adapter::Gate gate = GateOf(options, time_limit);
  for (std::size_t query = 0; query < predictions.queries; ++query) {
    choices[query] =
        static_cast<ActionIndex>(adapter::SelectAction(EffectsAt(predictions, query), gate));
  }
}

}  // namespace gonogo::audit
