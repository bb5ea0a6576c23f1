// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/advantage.h"

#include <algorithm>
#include <cmath>

namespace gonogo::train {
namespace {

// The rows of the environments `group`, `group + groups`, …
template <typename Visit>
void VisitGroup(const Rollout& rollout, std::size_t group, std::size_t groups, const Visit& visit) {
  for (std::size_t e = group; e < rollout.environments; e += groups) {
    for (std::size_t t = 0; t < rollout.steps; ++t) visit(e * rollout.steps + t);
  }
}

// Unbiased standard deviation, as the reference implementation of PPO for legged robots does.
double Normalise(const Rollout& rollout, std::size_t group, std::size_t groups,
                 std::vector<float>& values) {
  double mean = 0.0;
  double count = 0.0;
  VisitGroup(rollout, group, groups, [&](std::size_t row) {
    mean += values[row];
    count += 1.0;
  });
  mean /= count;
  double squares = 0.0;
  VisitGroup(rollout, group, groups,
             [&](std::size_t row) { squares += (values[row] - mean) * (values[row] - mean); });
  const double deviation = std::sqrt(squares / std::max(count - 1.0, 1.0)) + 1e-8;
  VisitGroup(rollout, group, groups, [&](std::size_t row) {
    values[row] = static_cast<float>((values[row] - mean) / deviation);
  });
  return deviation;
}

// One ground on which half of the robots fall would else drown what all others could teach.
void NormaliseGroups(const Rollout& rollout, std::size_t groups, Advantages& result) {
  std::vector<double> precision(groups);
  double sum = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    const double deviation = Normalise(rollout, g, groups, result.advantage);
    precision[g] = 1.0 / (deviation * deviation);
    sum += precision[g];
  }
  for (std::size_t g = 0; g < groups; ++g) {
    const auto weight = static_cast<float>(precision[g] * static_cast<double>(groups) / sum);
    VisitGroup(rollout, g, groups, [&](std::size_t row) { result.value_weight[row] = weight; });
  }
}

}  // namespace

Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda,
                              std::size_t groups) {
  Advantages result{std::vector<float>(rollout.size()), std::vector<float>(rollout.size()),
                    std::vector<float>(rollout.size(), 1.0F)};
  for (std::size_t e = 0; e < rollout.environments; ++e) {
    double next_value = rollout.last_values[e];
    double advantage = 0.0;
    for (std::size_t t = rollout.steps; t-- > 0;) {
      const std::size_t row = e * rollout.steps + t;
      const StepOutcome& outcome = rollout.outcomes[row];
      const double value = rollout.values[row];
      const bool cut = outcome.timed_out || (outcome.task_ended && !outcome.terminated);
      const double go_on = outcome.terminated || cut ? 0.0 : 1.0;
      const double reward = outcome.reward + (cut ? gamma * value : 0.0);
      const double delta = reward + gamma * go_on * next_value - value;
      advantage = delta + gamma * lambda * go_on * advantage;
      result.advantage[row] = static_cast<float>(advantage);
      result.returns[row] = static_cast<float>(advantage + value);
      next_value = value;
    }
  }
  NormaliseGroups(rollout, std::min(groups, rollout.environments), result);
  return result;
}

}  // namespace gonogo::train
