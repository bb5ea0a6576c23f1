// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "gonogo/robot/command/command.h"

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

}  // namespace gonogo::response
