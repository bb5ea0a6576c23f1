// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/train/ppo/actor_critic.h"
#include "gonogo/train/ppo/crew.h"
#include "gonogo/train/ppo/environment.h"

namespace gonogo::train {

using Environments = std::vector<std::unique_ptr<Environment>>;

/// `steps` control steps of every environment. Row e * steps + t is step t of environment e.
struct Rollout {
  Rollout(std::size_t environments, std::size_t steps, int observation_dim, int action_dim);

  std::size_t environments;
  std::size_t steps;
  Batch observations;  ///< already centred and scaled
  Batch actions;
  Batch means;
  Batch labels;                        ///< the expert's actions; unused by kExplore
  std::vector<float> log_probability;  ///< of the actions when they were drawn
  std::vector<float> values;
  std::vector<float> last_values;  ///< of the observation after the last step, per environment
  std::vector<StepOutcome> outcomes;

  [[nodiscard]] std::size_t size() const { return environments * steps; }
};

/// How a rollout chooses its actions.
enum class Behaviour {
  kExplore,  ///< drawn from the Gaussian policy
  kExpert,   ///< the environments' hand-written expert
  kRelabel,  ///< drawn from the Gaussian policy; the expert only says what it would do
};

/// Fills `rollout`. Environments are run in fixed groups, so that the numbers do not depend on
/// how many threads and ranks share them; every rank has all rows afterwards. Noise for environment
/// e comes from `stream.Child(e)`.
void Collect(const ActorCritic& networks, Behaviour behaviour, const RngStream& stream,
             const Crew& crew, Environments& environments, Rollout& rollout);

}  // namespace gonogo::train
