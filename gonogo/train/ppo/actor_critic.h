// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/mlp.h"

namespace gonogo::train {

using Batch = nn::Batch<float>;

/// A Gaussian policy with a state-independent spread, and a value function. Both networks read the
/// observation less `input_centre` multiplied element by element by `input_scale`, which brings
/// terms of different units to comparable size; `FoldedActor` moves both into the first layer.
struct ActorCritic {
  nn::Mlp<float> actor;   ///< scaled observation to mean action
  nn::Mlp<float> critic;  ///< scaled observation to value
  std::vector<float> log_std;
  std::vector<float> input_scale;
  std::vector<float> input_centre;

  [[nodiscard]] int observation_dim() const { return actor.shape().inputs(); }
  [[nodiscard]] int action_dim() const { return actor.shape().outputs(); }
};

struct NetworkConfig {
  std::vector<int> actor_hidden = {256, 128, 64};
  std::vector<int> critic_hidden = {128, 128, 64};
  double initial_std = 0.25;  ///< in units of the action
  double scan_scale = 5.0;    ///< per m of the height scan …
  double scan_centre = 0.0;   ///< … after this was taken off, in m
};

/// Freshly initialised ELU networks. Without `input_centre` all centres are zero.
[[nodiscard]] ActorCritic MakeActorCritic(const NetworkConfig& config,
                                          std::vector<float> input_scale, int action_dim,
                                          const RngStream& stream,
                                          std::vector<float> input_centre = {});

/// Changes the first layer of a network that read observations scaled and centred as `from` says,
/// so that it is the same function of observations scaled and centred as `to` says.
void ChangeInputs(const ActorCritic& from, const ActorCritic& to, nn::Mlp<float>& network);

/// The actor as a function of the raw observation: what is exported.
[[nodiscard]] nn::Mlp<float> FoldedActor(const ActorCritic& networks);

/// log N(action; mean, exp(log_std)), summed over the action's elements.
[[nodiscard]] double LogProbability(std::span<const float> action, std::span<const float> mean,
                                    std::span<const float> log_std);

}  // namespace gonogo::train
