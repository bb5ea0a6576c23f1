// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/sampling_mpc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gonogo::control {
namespace {

constexpr std::size_t kBranches = 3;

}  // namespace

Status Validate(const MpcConfig& config) {
  if (config.scales.back() != 1.0) {
    return UsageError("mpc.scales ends with {}, expected 1 (the direct command)",
                      config.scales.back());
  }
  if (!(config.time_budget >= 1.0 && std::isfinite(config.time_budget))) {
    return UsageError("mpc.time_budget is {}, expected at least 1", config.time_budget);
  }
  if (!(config.spread >= 0.0 && std::isfinite(config.spread))) {
    return UsageError("mpc.spread is {}, expected no negative number", config.spread);
  }
  if (!(config.success_loss >= 0.0 && config.success_loss <= 1.0)) {
    return UsageError("mpc.success_loss is {}, expected a number in [0, 1]", config.success_loss);
  }
  if (!(config.largest_tilt_rad > 0.0)) {
    return UsageError("mpc.largest_tilt is {}, expected a positive angle in radians",
                      config.largest_tilt_rad);
  }
  if (!(config.largest_angular_speed > 0.0)) {
    return UsageError("mpc.largest_angular_speed is {}, expected a positive speed in rad/s",
                      config.largest_angular_speed);
  }
  return {};
}

Result<SamplingMpc> SamplingMpc::Create(const MpcConfig& config, const robot::RobotSpec& robot,
                                        std::shared_ptr<const response::MacroPredictor> macro,
                                        std::shared_ptr<const response::ValuePredictor> value) {
  GONOGO_TRY(Validate(config));
  const response::CommandSlot slot = GONOGO_TRY(response::CommandSlot::Find(robot));
  return SamplingMpc(config, robot, slot, std::move(macro), std::move(value));
}

SamplingMpc::SamplingMpc(const MpcConfig& config, const robot::RobotSpec& robot,
                         const response::CommandSlot& slot,
                         std::shared_ptr<const response::MacroPredictor> macro,
                         std::shared_ptr<const response::ValuePredictor> value)
    : config_(config),
      direct_(robot),
      slot_(slot),
      floor_m_(robot.posture.eligible * robot.posture.nominal_height_m),
      macro_step_s_(robot.task.decision_every * robot.control_dt_s()),
      macro_(std::move(macro)),
      value_(std::move(value)),
      macro_scratch_(macro_->MakeScratch(kSequences)),
      value_scratch_(value_->MakeScratch(kSequences)),
      observations_(kSequences * static_cast<std::size_t>(macro_->observation_size())),
      next_(observations_.size()) {}

std::size_t SamplingMpc::Expand(int member, std::size_t rows) {
  const auto width = static_cast<std::size_t>(macro_->observation_size());
  const std::size_t children = rows * kBranches;
  for (std::size_t k = 0; k < children; ++k) {
    const robot::Command direct = direct_.Command(nodes_[k / kBranches].goal_B);
    commands_[k] = config_.scales[k % kBranches] * direct;
  }
  macro_->Advance(member, std::span(observations_).first(rows * width),
                  std::span(commands_).first(children), std::span(next_).first(children * width),
                  std::span(responses_).first(children), *macro_scratch_);
  for (std::size_t k = 0; k < children; ++k) {
    const Node& parent = nodes_[k / kBranches];
    const response::MacroResponse& step = responses_[k];
    next_nodes_[k] = {
        .goal_B = response::MoveGoal(parent.goal_B, step),
        .work_j = parent.work_j + step.power_w * macro_step_s_,
        .min_height_m = std::min<double>(parent.min_height_m, step.min_height_m),
        .max_tilt_rad = std::max<double>(parent.max_tilt_rad, step.max_tilt_rad),
        .max_angular_speed = std::max<double>(parent.max_angular_speed, step.max_angular_speed)};
  }
  observations_.swap(next_);
  std::copy_n(next_nodes_.begin(), children, nodes_.begin());
  return children;
}

void SamplingMpc::RollOut(int member, const Situation& now) {
  std::copy(now.observation.begin(), now.observation.end(), observations_.begin());
  nodes_[0] = {.goal_B = now.goal_B, .min_height_m = std::numeric_limits<double>::infinity()};
  std::size_t rows = 1;
  for (int level = 0; level < kDepth; ++level) rows = Expand(member, rows);
  const auto width = static_cast<std::size_t>(macro_->observation_size());
  for (std::size_t i = 0; i < kSequences; ++i) {
    goals_[i] = nodes_[i].goal_B;
    slot_.Write(direct_.Command(goals_[i]), std::span(observations_).subspan(i * width, width));
  }
  value_->Predict(std::span(observations_).first(kSequences * width), goals_, values_,
                  *value_scratch_);
}

void SamplingMpc::AddMember() {
  const double share = 1.0 / macro_->members();
  for (std::size_t i = 0; i < kSequences; ++i) {
    const double work = nodes_[i].work_j + values_[i].work_j;
    Outcome& outcome = outcomes_[i];
    outcome.work_j += share * work;
    outcome.work_squared += share * work * work;
    outcome.time_s += share * (kDepth * macro_step_s_ + values_[i].time_s);
    outcome.success += share * values_[i].success;
    outcome.min_height_m += share * nodes_[i].min_height_m;
    outcome.max_tilt_rad += share * nodes_[i].max_tilt_rad;
    outcome.max_angular_speed += share * nodes_[i].max_angular_speed;
  }
}

double SamplingMpc::UpperWork(const Outcome& outcome) const {
  const double variance = outcome.work_squared - outcome.work_j * outcome.work_j;
  return outcome.work_j + config_.spread * std::sqrt(std::max(variance, 0.0));
}

bool SamplingMpc::Feasible(const Outcome& outcome, const Outcome& direct) const {
  const bool posture = !config_.keep_posture || outcome.min_height_m >= floor_m_;
  const bool stable =
      !config_.keep_stable || (outcome.max_tilt_rad <= config_.largest_tilt_rad &&
                               outcome.max_angular_speed <= config_.largest_angular_speed);
  return posture && stable && outcome.success >= direct.success - config_.success_loss &&
         outcome.time_s <= config_.time_budget * direct.time_s;
}

CommandDecision SamplingMpc::Decide(const Situation& now) {
  outcomes_.fill({});
  for (int member = 0; member < macro_->members(); ++member) {
    RollOut(member, now);
    AddMember();
  }
  const Outcome& direct_outcome = outcomes_.back();
  std::optional<std::size_t> best;
  double best_work = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kSequences; ++i) {
    if (!Feasible(outcomes_[i], direct_outcome)) continue;
    // Of equal bounds the later one wins: the larger scales, in the end direct control itself.
    if (!(UpperWork(outcomes_[i]) <= best_work)) continue;
    best = i;
    best_work = UpperWork(outcomes_[i]);
  }
  const robot::Command direct = direct_.Command(now.goal_B);
  const auto fall_back = [&direct](Reason reason) {
    return CommandDecision{.command = direct, .reason = reason, .towards = direct, .gain = 0.0};
  };
  if (!best) return fall_back(Reason::kNoneFeasible);
  const std::size_t first = *best / (kSequences / kBranches);
  const bool beaten = best_work < UpperWork(direct_outcome);
  if (!beaten || first + 1 == kBranches) return fall_back(Reason::kDirectPlan);
  const robot::Command command = config_.scales[first] * direct;
  return {.command = command, .reason = Reason::kPlanned, .towards = command, .gain = 1.0};
}

}  // namespace gonogo::control
