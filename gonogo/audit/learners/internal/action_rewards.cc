// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/action_rewards.h"

#include <algorithm>

namespace gonogo::audit::internal {

ActionRewards RewardsOf(const LearningProblem& problem, double violation_price) {
  const OutcomeTable& table = problem.table();
  ActionRewards rewards{.actions = table.num_actions()};
  rewards.values.reserve(table.num_queries() * rewards.actions);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    rewards.values.push_back(0.0F);
    for (std::size_t c = 0; c < table.num_candidates(); ++c) {
      const double broken = problem.outcomes->violation(query, static_cast<ActionIndex>(c + 1));
      rewards.values.push_back(
          static_cast<float>(-problem.work_target(query, c) - violation_price * broken));
    }
  }
  return rewards;
}

std::vector<ActionIndex> UsefulActions(const ActionRewards& rewards,
                                       std::span<const std::uint32_t> weight, std::size_t most) {
  std::vector<ActionIndex> useful = {kDirect};
  std::vector<float> best(weight.size(), 0.0F);  // of the actions taken, at every query
  while (useful.size() < most) {
    std::vector<double> added(rewards.actions, 0.0);
    for (std::size_t query = 0; query < weight.size(); ++query) {
      if (weight[query] == 0) continue;
      const std::span<const float> reward = rewards.row(query);
      for (std::size_t a = 0; a < reward.size(); ++a) {
        if (reward[a] > best[query]) added[a] += weight[query] * double{reward[a] - best[query]};
      }
    }
    const auto next = std::max_element(added.begin(), added.end());
    if (*next <= 0.0) break;
    const auto action = static_cast<ActionIndex>(next - added.begin());
    useful.push_back(action);
    for (std::size_t query = 0; query < weight.size(); ++query) {
      best[query] = std::max(best[query], rewards.row(query)[action]);
    }
  }
  std::sort(useful.begin(), useful.end());
  return useful;
}

}  // namespace gonogo::audit::internal
