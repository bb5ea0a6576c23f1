// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit::internal {

/// What every action would have gained over the reference at every query: row-major, queries x
/// actions, 0 for the reference itself.
struct ActionRewards {
  std::size_t actions = 0;
  std::vector<float> values = {};

  [[nodiscard]] std::span<const float> row(std::size_t query) const {
    return std::span(values).subspan(query * actions, actions);
  }
};

/// The gains of everything that is decided: what the learner's target says is saved, less
/// `violation_price` for a broken constraint of success or time.
[[nodiscard]] ActionRewards RewardsOf(const LearningProblem& problem, double violation_price);

/// At most `most` actions, ascending: the reference, then one after the other the action with which
/// the best choice among them gains the most over queries that count `weight` times; fewer where
/// another one adds nothing.
[[nodiscard]] std::vector<ActionIndex> UsefulActions(const ActionRewards& rewards,
                                                     std::span<const std::uint32_t> weight,
                                                     std::size_t most);

}  // namespace gonogo::audit::internal
