// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "gonogo/base/rng.h"
#include "gonogo/train/ppo/rollout.h"

namespace gonogo::train {

/// The smallest problem with everything a walking robot has: a mass that is pushed to a commanded
/// velocity, falls when it is too fast and has an expert. For tests and benchmarks of learning.
class PointMass final : public Environment {
 public:
  explicit PointMass(const RngStream& stream) : stream_(stream), rng_(stream) { Restart(0); }

  [[nodiscard]] std::size_t observation_dim() const override { return 4; }
  [[nodiscard]] std::size_t action_dim() const override { return 2; }

  void Restart(std::size_t round) override {
    rng_ = stream_.Child(round).Generator();
    StartEpisode();
  }

  void Observe(std::span<float> observation) override {
    for (std::size_t i = 0; i < 2; ++i) {
      observation[i] = static_cast<float>(velocity_[i]);
      observation[2 + i] = static_cast<float>(command_[i]);
    }
  }

  void Expert(std::span<float> action) override {
    for (std::size_t i = 0; i < 2; ++i) {
      action[i] = static_cast<float>(2.0 * (command_[i] - velocity_[i]));
    }
  }

  StepOutcome Step(std::span<const float> action) override {
    constexpr double kDt = 0.1;
    for (std::size_t i = 0; i < 2; ++i) velocity_[i] += kDt * action[i];
    const double error = std::hypot(command_[0] - velocity_[0], command_[1] - velocity_[1]);
    StepOutcome outcome;
    outcome.terminated = std::hypot(velocity_[0], velocity_[1]) > 3.0;
    outcome.tracking_error = static_cast<float>(error);
    outcome.reward = static_cast<float>(kDt * std::exp(-error * error / 0.25)) -
                     (outcome.terminated ? 1.0F : 0.0F);
    outcome.timed_out = !outcome.terminated && ++steps_ >= 50;
    if (outcome.terminated || outcome.timed_out) StartEpisode();
    return outcome;
  }

 private:
  void StartEpisode() {
    steps_ = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      velocity_[i] = rng_.Uniform(-1.0, 1.0);
      command_[i] = rng_.Uniform(-1.0, 1.0);
    }
  }

  RngStream stream_;
  Rng rng_;
  std::array<double, 2> velocity_{};
  std::array<double, 2> command_{};
  int steps_ = 0;
};

}  // namespace gonogo::train
