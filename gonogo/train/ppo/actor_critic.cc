// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/actor_critic.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "gonogo/base/check.h"

namespace gonogo::train {
namespace {

nn::MlpShape Shape(int inputs, const std::vector<int>& hidden, int outputs) {
  nn::MlpShape shape;
  shape.sizes.push_back(inputs);
  shape.sizes.insert(shape.sizes.end(), hidden.begin(), hidden.end());
  shape.sizes.push_back(outputs);
  shape.hidden = nn::Activation::kElu;
  return shape;
}

}  // namespace

ActorCritic MakeActorCritic(const NetworkConfig& config, std::vector<float> input_scale,
                            int action_dim, const RngStream& stream) {
  const int inputs = static_cast<int>(input_scale.size());
  ActorCritic networks{
      .actor = nn::Mlp<float>(Shape(inputs, config.actor_hidden, action_dim)),
      .critic = nn::Mlp<float>(Shape(inputs, config.critic_hidden, 1)),
      .log_std = std::vector<float>(action_dim, static_cast<float>(std::log(config.initial_std))),
      .input_scale = std::move(input_scale)};
  networks.actor.Initialise(stream.Child("actor"));
  networks.critic.Initialise(stream.Child("critic"));
  return networks;
}

nn::Mlp<float> FoldedActor(const ActorCritic& networks) {
  nn::Mlp<float> folded = networks.actor;
  nn::Mlp<float>::Matrix first = folded.weight(0);
  for (int i = 0; i < networks.observation_dim(); ++i) first.row(i) *= networks.input_scale[i];
  return folded;
}

double LogProbability(std::span<const float> action, std::span<const float> mean,
                      std::span<const float> log_std) {
  GONOGO_CHECK(action.size() == mean.size() && action.size() == log_std.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < action.size(); ++i) {
    const double z = (static_cast<double>(action[i]) - mean[i]) * std::exp(-log_std[i]);
    sum -= 0.5 * z * z + log_std[i] + 0.5 * std::log(2.0 * std::numbers::pi);
  }
  return sum;
}

}  // namespace gonogo::train
