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
                            int action_dim, const RngStream& stream,
                            std::vector<float> input_centre) {
  const int inputs = static_cast<int>(input_scale.size());
  input_centre.resize(input_scale.size(), 0.0F);
  ActorCritic networks{
      .actor = nn::Mlp<float>(Shape(inputs, config.actor_hidden, action_dim)),
      .critic = nn::Mlp<float>(Shape(inputs, config.critic_hidden, 1)),
      .log_std = std::vector<float>(action_dim, static_cast<float>(std::log(config.initial_std))),
      .input_scale = std::move(input_scale),
      .input_centre = std::move(input_centre)};
  networks.actor.Initialise(stream.Child("actor"));
  networks.critic.Initialise(stream.Child("critic"));
  return networks;
}

void ChangeInputs(const ActorCritic& from, const ActorCritic& to, nn::Mlp<float>& network) {
  nn::Mlp<float>::Matrix first = network.weight(0);
  nn::Mlp<float>::Row bias = network.bias(0);
  for (int i = 0; i < network.shape().inputs(); ++i) {
    bias += from.input_scale[i] * (to.input_centre[i] - from.input_centre[i]) * first.row(i);
    first.row(i) *= from.input_scale[i] / to.input_scale[i];
  }
}

nn::Mlp<float> FoldedActor(const ActorCritic& networks) {
  ActorCritic raw = networks;
  raw.input_scale.assign(networks.input_scale.size(), 1.0F);
  raw.input_centre.assign(networks.input_centre.size(), 0.0F);
  ChangeInputs(networks, raw, raw.actor);
  return raw.actor;
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
