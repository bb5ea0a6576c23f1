// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "gonogo/base/check.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/world/world.h"

/// \file
/// What the tests of this folder share: the Go2, and a policy with a memory that needs no file.

namespace gonogo::sim::internal {

inline robot::RobotSpec Go2() {
  Result<robot::RobotSpec> spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2");
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return std::move(spec).value();
}

/// The Go2 with a fourth channel, from 1 to 4 Hz, that its gait phase follows.
inline robot::RobotSpec Go2WithFrequency() {
  robot::RobotSpec spec = Go2();
  const robot::CommandChannel frequency{"gait_frequency", 3, 2.5};
  spec.channels.push_back(frequency);
  frequency.Set(spec.command_box.low, 1.0);
  frequency.Set(spec.command_box.high, 4.0);
  for (robot::ObservationTerm& term : spec.observation) {
    if (term.kind == robot::TermKind::kCommand) term.scale.push_back(1.0);
    if (term.kind != robot::TermKind::kGaitPhase) continue;
    term.cadence = {.period_s = 0.4, .frequency = robot::CommandedFrequency{3, 2.5, 1.0}};
  }
  return spec;
}

inline std::shared_ptr<const World> WorldOf(Terrain terrain, const robot::RobotSpec& spec = Go2()) {
  Result<std::shared_ptr<const World>> world = World::Create(spec, std::move(terrain));
  EXPECT_TRUE(world.ok()) << world.error().message;
  return world.value();
}

inline std::shared_ptr<const World> WorldOf(TileKind kind, double difficulty, std::uint64_t seed) {
  TerrainOptions options;
  options.columns = {kind};
  options.difficulty = difficulty;
  const robot::RobotSpec spec = Go2();
  return WorldOf(MakeTerrain(options, spec.terrain, RngStream(seed)), spec);
}

/// Moves all legs in a way that depends on everything seen so far, without falling at once.
class RestlessPolicy final : public robot::Policy {
 public:
  explicit RestlessPolicy(const robot::RobotSpec& spec)
      : observation_size_(spec.observation_size()), action_size_(spec.joint_count()) {}

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return action_size_; }
  [[nodiscard]] robot::PolicyMemory StartMemory() const override {
    return {std::vector<float>(static_cast<std::size_t>(action_size_), 0.5F), {}};
  }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override {
    for (std::size_t j = 0; j < action.size(); ++j) {
      float seen = 0.0F;
      for (std::size_t i = j; i < observation.size(); i += action.size()) seen += observation[i];
      memory.hidden[j] = 0.8F * memory.hidden[j] + 0.2F * std::tanh(seen);
      action[j] = std::sin(6.0F * memory.hidden[j] + static_cast<float>(j));
    }
  }

 private:
  int observation_size_;
  int action_size_;
};

}  // namespace gonogo::sim::internal
