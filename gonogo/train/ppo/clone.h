// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gonogo/train/ppo/rollout.h"

namespace gonogo::train {

/// Imitation of the environments' expert by relabelling: the network drives, the expert says what
/// it would have done, and the network learns from all states seen so far.
struct CloneConfig {
  int rounds = 20;  ///< the first is driven by the expert
  int steps = 128;  ///< per environment and round
  int epochs = 4;   ///< passes over the data after each round
  int batch = 512;
  double std = 0.15;  ///< of the noise on the driving network
  double learning_rate = 1e-3;
};

struct CloneReport {
  int round = 0;
  double loss = 0.0;            ///< mean squared difference of actions over the last epoch
  double tracking_error = 0.0;  ///< of the driver of this round
  double fall_rate = 0.0;       ///< terminations per environment step
};

/// Trains `networks.actor` and returns the report of the last round. It is the last one when
/// `on_round` says not to go on.
CloneReport CloneExpert(const CloneConfig& config, const RngStream& stream,
                        const TrainingRanks& ranks, Environments& environments,
                        ActorCritic& networks,
                        const std::function<bool(const CloneReport&)>& on_round = {});

}  // namespace gonogo::train
