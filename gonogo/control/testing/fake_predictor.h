// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "gonogo/response/models/response_predictor.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control::internal {

/// A response model for tests: any function of the command.
class FakePredictor : public response::ResponsePredictor {
 public:
  using Function = std::function<response::Response(const robot::Command&)>;
  explicit FakePredictor(Function respond) : respond_(std::move(respond)) {}

  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t /*candidates*/) const override {
    return std::make_unique<Scratch>();
  }
  void Predict(std::span<const float> /*observation*/, std::span<const robot::Command> candidates,
               std::span<response::Response> responses, Scratch& /*scratch*/) const override {
    for (std::size_t i = 0; i < candidates.size(); ++i) responses[i] = respond_(candidates[i]);
  }

 private:
  Function respond_;
};

/// A robot 0.3 m tall with the paper's quadruped thresholds.
inline robot::RobotSpec TestRobot() {
  robot::RobotSpec robot;
  robot.name = "test";
  robot.file = "test/robot.toml";
  robot.posture.nominal_height_m = 0.3;
  return robot;
}

/// Obeys exactly for 0.32 s, at a cost of speed squared, at nominal height.
inline response::Response Obey(const robot::Command& command) {
  const auto cost = static_cast<float>(1.0 + command.vx * command.vx + command.vy * command.vy);
  return {.dx = static_cast<float>(0.32 * command.vx),
          .dy = static_cast<float>(0.32 * command.vy),
          .dpsi = static_cast<float>(0.32 * command.wz),
          .cost = cost,
          .min_height_m = 0.3F,
          .mean_height_m = 0.3F};
}

}  // namespace gonogo::control::internal
