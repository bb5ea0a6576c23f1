// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/baselines.h"
#include "gonogo/control/controller.h"
#include "gonogo/response/models/response_predictor.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// The structured set around the direct command (paper, Appendix A): scalings {1, 0.4, 0.6, 0.8,
/// 1.2}; yaw-rate offsets {±0.2, ±0.4}; speeds {0.25, 0.5, 0.75, 1} at headings {0, ±0.3, ±0.6}
/// around the bearing of the goal with {0, 0.5, 1} of the direct yaw rate. Clipped to the box and
/// without duplicates. Then, for channels that are no velocities, the direct command with each of
/// the values their descriptions list. The first candidate is the direct command.
class CandidateSet {
 public:
  static constexpr std::size_t kCapacity =
      5 + 4 + 4 * 5 * 3 + robot::CommandChannel::kMostCandidates;

  CandidateSet(const robot::Command& direct, robot::Point2 goal_B, const robot::CommandBox& box,
               std::span<const robot::CommandChannel> channels = {});

  [[nodiscard]] std::span<const robot::Command> commands() const {
    return std::span(commands_).first(count_);
  }

 private:
  void Add(const robot::Command& clipped);

  std::array<robot::Command, kCapacity> commands_;
  std::size_t count_ = 0;
};

/// Viability-Gated Command Compensation: its scalars and its switches. Defaults are the paper's.
struct VgccConfig {
  double gain = 0.5;               ///< alpha in [0, 1]; 1 substitutes the command
  double anneal_distance_m = 0.5;  ///< the correction fades out linearly inside this distance
  double progress_floor = 0.9;     ///< beta in [0, 1]
  double cost_margin = 0.1;        ///< epsilon: a share, or in units of cost if `absolute_margin`

  // What the ablations switch.
  bool anneal = true;
  bool keep_progress = true;  ///< the progress floor
  bool keep_posture = true;   ///< posture eligibility
  bool rescue = true;
  bool restore = true;
  bool absolute_margin = false;
  bool cost_per_progress = false;  ///< rank by cost per predicted progress
  bool score_executed = false;     ///< predict the blended commands instead of the raw candidates
};

/// Fails on values outside their ranges, naming them as `vgcc.<key>`.
[[nodiscard]] Status Validate(const VgccConfig& config);

/// What the gate decides on. `responses[i]` belongs to `candidates[i]`; candidate `direct` is the
/// direct command.
struct GateInput {
  robot::Point2 goal_B;
  double height_m = 0.0;  ///< measured
  std::size_t direct = 0;
  std::span<const robot::Command> candidates;
  std::span<const response::Response> responses;
};

/// alpha_t: the gain, annealed to zero as the goal comes near.
[[nodiscard]] double AnnealedGain(const VgccConfig& config, robot::Point2 goal_B);

/// One decision (Algorithm 1). Depends on the candidates as a set: their order changes nothing,
/// ties are broken by the commands themselves.
[[nodiscard]] CommandDecision ApplyGate(const VgccConfig& config, const robot::PostureSpec& posture,
                                        const GateInput& input);

/// Viability-Gated Command Compensation (paper, Section 3.4): predicts the response to every
/// candidate in one batch and lets the gate choose. The model says which cost it predicts.
class Vgcc : public Controller {
 public:
  [[nodiscard]] static Result<Vgcc> Create(
      const VgccConfig& config, const robot::RobotSpec& robot,
      std::shared_ptr<const response::ResponsePredictor> model);

  CommandDecision Decide(const Situation& now) override;

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
