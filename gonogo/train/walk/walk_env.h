// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/policy.h"
#include "gonogo/sim/loop/env.h"
#include "gonogo/sim/loop/step_meter.h"
#include "gonogo/sim/world/world.h"
#include "gonogo/train/ppo/rollout.h"
#include "gonogo/train/recipe/recipe.h"

namespace gonogo::train {

/// The grounds of one stage of a recipe, one world per environment in turn.
[[nodiscard]] Result<std::vector<std::shared_ptr<const sim::World>>> MakeWorlds(
    const robot::RobotSpec& spec, const Stage& stage, bool fast_ground, const RngStream& stream);

/// Following random commands on generated ground.
class WalkEnv final : public Environment {
 public:
  /// `recipe` must outlive the environment. `expert` is the recipe's walking start, `reward` that
  /// of its present stage.
  WalkEnv(std::shared_ptr<const sim::World> world, const Recipe& recipe,
          const RewardWeights& reward, std::shared_ptr<const robot::Policy> expert,
          const RngStream& stream);

  [[nodiscard]] std::size_t observation_dim() const override;
  [[nodiscard]] std::size_t action_dim() const override;
  void Restart(std::size_t round) override;
  void Observe(std::span<float> observation) override;
  void Expert(std::span<float> action) override;
  StepOutcome Step(std::span<const float> action) override;

 private:
  void StartEpisode();
  void DrawCommand();
  void DrawPush();
  int DrawSteps(const std::array<double, 2>& seconds);  ///< control steps of a time in between
  [[nodiscard]] double Reward(std::span<const float> action);
  [[nodiscard]] bool ToldToStand() const;
  [[nodiscard]] double GaitPhase() const;
  [[nodiscard]] double GaitReward() const;
  [[nodiscard]] double ClearanceReward();
  [[nodiscard]] double FootSlip();

  const Recipe& recipe_;
  RewardWeights reward_;
  std::shared_ptr<const robot::Policy> expert_;
  RngStream stream_;
  Rng rng_;
  sim::Env env_;
  robot::Command command_;
  std::vector<float> last_action_;
  std::vector<robot::Vec3> last_feet_;
  sim::StepMeter step_meter_;      // of this episode
  robot::PolicyMemory no_memory_;  // the walking start needs none
  int steps_ = 0;
  int command_steps_left_ = 0;
  int push_steps_left_ = 0;
};

}  // namespace gonogo::train
