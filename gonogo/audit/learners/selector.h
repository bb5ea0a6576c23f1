// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/adapter/gate.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// What an ensemble predicts for some queries and all K - 1 candidates: per member, what it learned
/// of work and time beside the reference's (`LearningProblem`) and the probability of being
/// eligible. Index (member * queries + query) * candidates + candidate, where candidate c is action
/// c + 1. `time` or `eligible` is empty when the table gives nothing to predict; that gate is then
/// void.
struct MemberPredictions {
  std::size_t members = 0;
  std::size_t queries = 0;
  std::size_t candidates = 0;
  std::vector<double> work;
  std::vector<double> time;
  std::vector<double> eligible;

  [[nodiscard]] std::size_t index(std::size_t member, std::size_t query,
                                  std::size_t candidate) const {
    return (member * queries + query) * candidates + candidate;
  }
};

/// The gate that the protocol's numbers make.
[[nodiscard]] adapter::Gate GateOf(const SelectorOptions& options, double time_limit);

/// What is predicted at one query; valid as long as the predictions are not resized.
[[nodiscard]] adapter::EffectView<double> EffectsAt(const MemberPredictions& predictions,
                                                    std::size_t query);

/// The conservative selector: among the candidates whose upper work bound is negative, whose upper
/// time bound is at most `time_limit` and whose lower eligibility bound is at least
/// `min_eligibility`, the one with the lowest upper work bound (lowest index on ties); direct when
/// there is none. `choices` has one slot per query (docs/concepts/audit.md, 9).
void SelectActions(const MemberPredictions& predictions, double time_limit,
                   const SelectorOptions& options, std::span<ActionIndex> choices);

/// Mean over members of the predicted work.
[[nodiscard]] double MeanWork(const MemberPredictions& predictions, std::size_t query,
                              std::size_t candidate);

}  // namespace gonogo::audit
