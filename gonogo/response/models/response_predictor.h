// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"

namespace gonogo::response {

/// What holding one command for a window is predicted to do: the six outputs of f_phi.
struct Response {
  float dx = 0.0F;  ///< body-frame displacement, m
  float dy = 0.0F;
  float dpsi = 0.0F;  ///< rad
  float cost = 0.0F;  ///< effort proxy or mechanical power (W), whichever the model was fitted to
  float min_height_m = 0.0F;  ///< terrain-relative
  float mean_height_m = 0.0F;
};

/// Predicts responses. Immutable and shared by threads; each thread brings a scratch it was given
/// by `MakeScratch`.
class ResponsePredictor {
 public:
  /// Working memory of one thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~ResponsePredictor() = default;
  /// Large enough for that many candidates.
  [[nodiscard]] virtual std::unique_ptr<Scratch> MakeScratch(std::size_t candidates) const = 0;

  /// One response per candidate, from the same observation; whatever command that holds is replaced
  /// by the candidate. A candidate's response does not depend on the others. Allocates
  /// nothing for as many candidates as `scratch` was made for.
  virtual void Predict(std::span<const float> observation,
                       std::span<const robot::Command> candidates, std::span<Response> responses,
                       Scratch& scratch) const = 0;
};

/// What happens during one macro step (four control steps).
struct MacroResponse {
  float dx = 0.0F;  ///< displacement in the body frame at the start of the step, m
  float dy = 0.0F;
  float dpsi = 0.0F;  ///< rad
  float power_w = 0.0F;
  float min_height_m = 0.0F;  ///< terrain-relative
  float max_tilt_rad = 0.0F;
  float max_angular_speed = 0.0F;  ///< rad/s
};

/// Rolls an observation forward under commands. Immutable and shared by threads; each thread brings
/// a scratch it was given by `MakeScratch`.
class MacroPredictor {
 public:
  /// Working memory of one thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~MacroPredictor() = default;
  [[nodiscard]] virtual int members() const = 0;
  [[nodiscard]] virtual int observation_size() const = 0;
  /// Large enough for that many commands at as many observations.
  [[nodiscard]] virtual std::unique_ptr<Scratch> MakeScratch(std::size_t commands) const = 0;

  /// One macro step of one member. `observations` holds one or more rows among which the commands
  /// are divided evenly, in order. Writes one response and one next observation per command; the
  /// next observation still holds that command. Allocates nothing for as many commands as
  /// `scratch` was made for.
  virtual void Advance(int member, std::span<const float> observations,
                       std::span<const robot::Command> commands, std::span<float> next,
                       std::span<MacroResponse> responses, Scratch& scratch) const = 0;
};

/// Where a goal seen from the body is after a step that moved and turned the body.
[[nodiscard]] robot::Point2 MoveGoal(robot::Point2 goal_B, const MacroResponse& step);

}  // namespace gonogo::response
