// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/baselines.h"
#include "gonogo/response/models/command_net.h"
#include "gonogo/response/models/response_predictor.h"
#include "gonogo/response/models/value_model.h"

namespace gonogo::control {

/// Constraints are relative to what the direct sequence is predicted to do, or absolute postures.
/// The paper names the constraints but not their values; these are ours.
struct MpcConfig {
  std::array<double, 3> scales{0.75, 0.90, 1.00};  ///< of the direct command; the last must be 1
  double spread = 1.0;         ///< standard deviations of the members added to predicted work
  double time_budget = 1.10;   ///< largest predicted time, in units of the direct sequence's
  double success_loss = 0.02;  ///< largest loss of predicted success against the direct sequence
  bool keep_posture = true;    ///< lowest predicted height at least the eligible one
  bool keep_stable = true;
  double largest_tilt_rad = 0.5;
  double largest_angular_speed = 4.0;  ///< rad/s
};

/// Fails on values outside their ranges, naming them as `mpc.<key>`.
[[nodiscard]] Status Validate(const MpcConfig& config);

/// Enumerates all 81 sequences of four scales, rolls every member of the macro ensemble along their
/// prefix tree (120 nodes), adds the value of what remains under direct control and executes the
/// first command of the sequence with the lowest upper bound of work that keeps all constraints.
class SamplingMpc : public Controller {
 public:
  static constexpr int kDepth = 4;
  static constexpr std::size_t kSequences = 81;
  static constexpr std::size_t kNodes = 3 + 9 + 27 + 81;

  [[nodiscard]] static Result<SamplingMpc> Create(
      const MpcConfig& config, const robot::RobotSpec& robot,
      std::shared_ptr<const response::MacroPredictor> macro,
      std::shared_ptr<const response::ValuePredictor> value);

  CommandDecision Decide(const Situation& now) override;

 private:
  /// What is predicted of one sequence by one member, then its mean over the members.
  struct Outcome {
    double work_j = 0.0;
    double work_squared = 0.0;
    double time_s = 0.0;
    double success = 0.0;
    double min_height_m = 0.0;
    double max_tilt_rad = 0.0;
    double max_angular_speed = 0.0;
  };
  /// State of one node of the prefix tree, without its observation.
  struct Node {
    robot::Point2 goal_B;
    double work_j = 0.0;
    double min_height_m = 0.0;
    double max_tilt_rad = 0.0;
    double max_angular_speed = 0.0;
  };

  SamplingMpc(const MpcConfig& config, const robot::RobotSpec& robot,
              const response::CommandSlot& slot,
              std::shared_ptr<const response::MacroPredictor> macro,
              std::shared_ptr<const response::ValuePredictor> value);

  void RollOut(int member, const Situation& now);
  std::size_t Expand(int member, std::size_t rows);
  void AddMember();
  [[nodiscard]] double UpperWork(const Outcome& outcome) const;
  [[nodiscard]] bool Feasible(const Outcome& outcome, const Outcome& direct) const;

  MpcConfig config_;
  Direct direct_;
  response::CommandSlot slot_;
  double floor_m_;
  double macro_step_s_;
  std::shared_ptr<const response::MacroPredictor> macro_;
  std::shared_ptr<const response::ValuePredictor> value_;
  std::unique_ptr<response::MacroPredictor::Scratch> macro_scratch_;
  std::unique_ptr<response::ValuePredictor::Scratch> value_scratch_;
  std::vector<float> observations_;  // of the current level …
  std::vector<float> next_;          // … and of the one below it
  std::array<Node, kSequences> nodes_;
  std::array<Node, kSequences> next_nodes_;
  std::array<robot::Command, kSequences> commands_;
  std::array<response::MacroResponse, kSequences> responses_;
  std::array<robot::Point2, kSequences> goals_;
  std::array<response::TaskValue, kSequences> values_;
  std::array<Outcome, kSequences> outcomes_;
};

}  // namespace gonogo::control
