// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <optional>
#include <span>
#include <vector>

namespace gonogo::robot {

/// What one running copy of a policy remembers and works in. `hidden` is the recurrent state and
/// part of every snapshot; `scratch` holds nothing between two calls.
struct PolicyMemory {
  std::vector<float> hidden;
  std::any scratch;
};

/// What a policy expects of its observation: the mean and spread its own normaliser was fitted to.
struct ExpectedInput {
  std::vector<float> mean;
  std::vector<float> scale;
};

/// A frozen policy: observation to raw action. Immutable, so that any number of threads may share
/// it; each running copy brings its own memory.
class Policy {
 public:
  virtual ~Policy() = default;

  [[nodiscard]] virtual int observation_size() const = 0;
  [[nodiscard]] virtual int action_size() const = 0;
  /// Memory at the start of an episode.
  [[nodiscard]] virtual PolicyMemory StartMemory() const { return {}; }
  /// Known when the policy contains a normaliser.
  [[nodiscard]] virtual std::optional<ExpectedInput> Expectation() const { return std::nullopt; }
  /// Writes the action for one observation and advances `memory`. Allocates nothing.
  virtual void Act(std::span<const float> observation, std::span<float> action,
                   PolicyMemory& memory) const = 0;
};

}  // namespace gonogo::robot
