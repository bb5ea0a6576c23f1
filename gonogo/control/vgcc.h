// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gonogo/control/candidates.h"
#include "gonogo/control/direct.h"
#include "gonogo/control/vgcc_gate.h"

namespace gonogo::control {

/// Viability-Gated Command Compensation (paper, Section 3.4): predicts the response to every
/// candidate in one batch and lets the gate choose. The model says which cost it predicts.
class Vgcc : public Controller {
 public:
  [[nodiscard]] static Result<Vgcc> Create(
      const VgccConfig& config, const robot::RobotSpec& robot,
      std::shared_ptr<const response::ResponsePredictor> model);

  Decision Decide(const Situation& now) override;

 private:
  Vgcc(const VgccConfig& config, const robot::RobotSpec& robot,
       std::shared_ptr<const response::ResponsePredictor> model);

  VgccConfig config_;
  Direct direct_;
  robot::PostureSpec posture_;
  std::vector<robot::CommandChannel> channels_;
  std::shared_ptr<const response::ResponsePredictor> model_;
  std::unique_ptr<response::ResponsePredictor::Scratch> scratch_;
  std::array<response::Response, CandidateSet::kCapacity> responses_;
};

}  // namespace gonogo::control
