// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/advantage.h"

#include <cmath>

namespace gonogo::train {
namespace {

// Unbiased standard deviation, as the reference implementation of PPO for legged robots does.
void Normalise(std::vector<float>& values) {
  double mean = 0.0;
  for (const float v : values) mean += v;
  mean /= static_cast<double>(values.size());
  double squares = 0.0;
  for (const float v : values) squares += (v - mean) * (v - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  for (float& v : values) v = static_cast<float>((v - mean) / (deviation + 1e-8));
}

}  // namespace

Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda) {
  Advantages result{std::vector<float>(rollout.size()), std::vector<float>(rollout.size())};
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
  Normalise(result.advantage);
  return result;
}

}  // namespace gonogo::train
