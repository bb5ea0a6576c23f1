// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gonogo/nn/mlp/trainer.h"
#include "gonogo/train/ppo/ppo_loss.h"
#include "gonogo/train/ppo/rollout.h"
#include "gonogo/train/ppo/symmetry.h"

namespace gonogo::train {

/// Proximal policy optimisation with a step size that follows the policy's change.
struct PpoConfig {
  PpoLossConfig loss;
  double gamma = 0.99;
  double lambda = 0.95;
  std::size_t groups = 1;  ///< of environments whose advantages are normalised by themselves
  int epochs = 4;
  int mini_batches = 4;
  double learning_rate = 3e-4;  ///< at the start
  double min_learning_rate = 1e-5;
  double max_learning_rate = 1e-3;
  double critic_learning_rate = 1e-3;
  double desired_kl = 0.01;  ///< step x 1.5 below half of it, / 1.5 above twice of it
  double max_gradient_norm = 1.0;
  double min_std = 0.1;   ///< floor of the exploration, in units of the action …
  double max_std = 10.0;  ///< … and its ceiling
  /// Each pass replaces every other sample by its reflection, the next pass the others, instead of
  /// adding a reflection to every sample: half of the work.
  bool alternate_reflections = false;
  /// A reflection counts as drawn by the policy from the reflected observation, so that its ratio
  /// begins at one. Otherwise its ratio is to the policy that drew the original: with a narrow
  /// spread a small asymmetry of the policy puts most reflections beyond the clipping range.
  bool reflections_on_policy = false;
  /// Iterations over which the parameters of the policy that is shipped are averaged, with weights
  /// that decay exponentially; 0: the last ones. Training itself does not use the average.
  double average = 0.0;
};

struct PpoReport {
  double surrogate = 0.0;  ///< means over all mini-batches
  double value_loss = 0.0;
  double kl = 0.0;
};

/// The networks with their optimisers.
class PpoLearner {
 public:
  PpoLearner(PpoConfig config, ActorCritic networks, std::optional<Symmetry> symmetry);

  [[nodiscard]] const ActorCritic& networks() const { return networks_; }
  [[nodiscard]] ActorCritic& networks() { return networks_; }
  [[nodiscard]] double learning_rate() const { return learning_rate_; }
  /// The networks to ship: with the averaged actor, if there is one.
  [[nodiscard]] ActorCritic Shipped() const;

  /// Goes on under another configuration; the exploration is brought into its bounds at once. The
  /// present step size is kept, but for its ceiling.
  void Configure(const PpoConfig& config);

  /// Everything that changes while learning, as a value.
  struct State {
    std::vector<float> actor;
    std::vector<float> critic;
    std::vector<float> log_std;
    nn::AdamW<float>::State actor_optimiser;
    nn::AdamW<float>::State std_optimiser;
    nn::AdamW<float>::State critic_optimiser;
    double learning_rate = 0.0;
    std::vector<float> average;      ///< of the actor; empty if there is none
    std::vector<float> input_scale;  ///< what the networks read …
    std::vector<float> input_centre;
  };
  [[nodiscard]] State Save() const;
  /// Whether `state` fits these networks; if so, learning goes on from it. Networks that read
  /// observations otherwise scaled or centred are changed to be the same functions of what these
  /// read; their optimisers begin anew.
  [[nodiscard]] bool Restore(const State& state);

  /// One PPO update; the permutation comes from `stream`. With `critic_only` the policy stays as it
  /// is (a cloned policy needs a value function before it may be changed).
  PpoReport Update(const Rollout& rollout, bool critic_only, const RngStream& stream,
                   const TrainingRanks& ranks);

 private:
  struct Shard;
  /// What every sample's ratio is to be compared with where it is reflected.
  [[nodiscard]] std::vector<float> ReflectedLogProbability(const Rollout& rollout,
                                                           const TrainingRanks& ranks) const;
  void Reflect(const Rollout& rollout, std::size_t row, std::span<float> observation,
               std::span<float> action) const;
  void Gather(const Rollout& rollout, const Advantages& advantages,
              std::span<const float> reflected_log_probability, std::span<const std::size_t> rows,
              int epoch, Shard& shard) const;
  void Differentiate(std::span<const float> old_log_std, std::size_t count, bool critic_only,
                     Shard& shard) const;
  /// What `Step` reads of a shard, as it travels between ranks.
  [[nodiscard]] Memory SumsOf(Shard& shard) const;
  void BoundExploration();
  /// Makes networks that were copied from `state` read what these networks read.
  void ReadInputsOf(const State& state);
  void Average();
  void Step(bool critic_only, std::span<Shard> shards, double kl);

  PpoConfig config_;
  ActorCritic networks_;
  std::optional<Symmetry> symmetry_;
  nn::AdamW<float> actor_optimiser_;
  nn::AdamW<float> std_optimiser_;
  nn::AdamW<float> critic_optimiser_;
  double learning_rate_;
  std::vector<float> average_;  // of the actor's parameters; empty before the first update
};

}  // namespace gonogo::train
