// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

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

}  // namespace gonogo::train
