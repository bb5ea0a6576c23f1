// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/parallel/team.h"
#include "gonogo/base/rng.h"
#include "gonogo/train/ppo/actor_critic.h"

namespace gonogo::train {

/// What one control step did.
struct StepOutcome {
  float reward = 0.0F;
  bool terminated = false;      ///< the episode failed
  bool timed_out = false;       ///< the episode was cut; its future still counts
  bool task_ended = false;      ///< it goes on with another task; the future of this one counts
  float tracking_error = 0.0F;  ///< distance from what was commanded, for the progress line
};

/// One environment of a reinforcement-learning problem. Every random choice comes from streams the
/// environment was made with, so that its path is a function of its actions alone.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  [[nodiscard]] virtual std::size_t observation_dim() const = 0;
  [[nodiscard]] virtual std::size_t action_dim() const = 0;

  /// Starts afresh; `round` names the random streams to use.
  virtual void Restart(std::size_t round) = 0;

  /// The present observation.
  virtual void Observe(std::span<float> observation) = 0;

  /// What the hand-written expert would do now.
  virtual void Expert(std::span<float> action) = 0;

  /// Applies one action. At the end of an episode the next one begins at once, and `Observe` shows
  /// its first observation.
  virtual StepOutcome Step(std::span<const float> action) = 0;
};

/// Places of values that can be copied as bytes.
using Memory = std::vector<std::span<std::byte>>;

/// Who computes: threads of this process and, where there are several, the other ranks. Pieces of a
/// step are dealt out in turn; results do not depend on how many share them.
struct TrainingRanks {
  TrainingRanks() = default;
  TrainingRanks(int threads, Exchange* others = nullptr)  // NOLINT(google-explicit-constructor)
      : jobs(threads), ranks(others) {}

  int jobs = 0;
  Exchange* ranks = nullptr;

  /// Does the pieces [0, count) that fall to this rank, in parallel; then every rank gets those of
  /// the others. `memory` says where piece i stands, which is of the same size on every rank.
  void ForEach(std::size_t count, const std::function<void(std::size_t)>& work,
               const std::function<Memory(std::size_t)>& memory) const;

  /// Rank 0's bytes on every rank.
  [[nodiscard]] std::string FromFirst(const std::string& what, std::string mine) const;
  /// Whether any rank says so.
  [[nodiscard]] bool Any(bool mine) const;
  /// What went wrong between the ranks.
  [[nodiscard]] Status status() const { return ranks != nullptr ? ranks->status() : Status(); }
};

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
             const TrainingRanks& ranks, Environments& environments, Rollout& rollout);

}  // namespace gonogo::train
