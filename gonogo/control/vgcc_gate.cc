// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/vgcc_gate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "gonogo/base/check.h"

namespace gonogo::control {
namespace {

/// Predicted progress towards the goal, G of the paper.
double Progress(robot::Point2 goal_B, const response::Response& response) {
  return std::hypot(goal_B.x, goal_B.y) -
         std::hypot(goal_B.x - response.dx, goal_B.y - response.dy);
}

auto Order(const robot::Command& command) { return std::tuple(command.vx, command.vy, command.wz); }

class Gate {
 public:
  Gate(const VgccConfig& config, const robot::PostureSpec& posture, const GateInput& input)
      : config_(config),
        input_(input),
        rescue_height_m_(posture.rescue * posture.nominal_height_m),
        floor_m_(posture.eligible * posture.nominal_height_m),
        least_mean_m_(input.height_m - posture.decline_m),
        direct_progress_(Progress(input.goal_B, direct())) {}

  [[nodiscard]] const response::Response& direct() const { return input_.responses[input_.direct]; }
  [[nodiscard]] bool DirectWouldBreach() const { return direct().min_height_m < rescue_height_m_; }

  [[nodiscard]] bool Eligible(std::size_t i) const {
    const response::Response& r = input_.responses[i];
    const double progress = Progress(input_.goal_B, r);
    if (config_.keep_progress && !(progress >= config_.progress_floor * direct_progress_)) {
      return false;
    }
    if (config_.cost_per_progress && !(progress > 0.0)) return false;
    return !config_.keep_posture ||
           (r.min_height_m >= floor_m_ && r.mean_height_m >= least_mean_m_);
  }

  [[nodiscard]] double Cost(std::size_t i) const {
    const response::Response& r = input_.responses[i];
    return config_.cost_per_progress ? r.cost / Progress(input_.goal_B, r) : r.cost;
  }

  [[nodiscard]] bool SavesEnough(std::size_t i) const {
    const double direct_cost = Cost(input_.direct);
    return Cost(i) < (config_.absolute_margin ? direct_cost - config_.cost_margin
                                              : (1.0 - config_.cost_margin) * direct_cost);
  }

  /// The candidate with the smallest finite score; `score` gives infinity to those not allowed.
  template <typename Score>
  [[nodiscard]] std::optional<std::size_t> Best(const Score& score) const {
    std::optional<std::size_t> best;
    double best_score = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < input_.candidates.size(); ++i) {
      const double s = score(i);
      const bool tie =
          best && s == best_score && Order(input_.candidates[i]) < Order(input_.candidates[*best]);
      if (!(s < best_score) && !tie) continue;
      best = i;
      best_score = s;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::size_t> Tallest() const {
    return Best([this](std::size_t i) {
      const bool allowed = Progress(input_.goal_B, input_.responses[i]) >= 0.0;
      return allowed ? -static_cast<double>(input_.responses[i].min_height_m)
                     : std::numeric_limits<double>::infinity();
    });
  }
  [[nodiscard]] std::optional<std::size_t> Cheapest() const {
    return Best([this](std::size_t i) {
      return Eligible(i) ? Cost(i) : std::numeric_limits<double>::infinity();
    });
  }

 private:
  const VgccConfig& config_;
  const GateInput& input_;
  double rescue_height_m_;
  double floor_m_;
  double least_mean_m_;
  double direct_progress_;
};

}  // namespace

Status Validate(const VgccConfig& config) {
  const auto share = [](const char* key, double value) -> Status {
    if (value >= 0.0 && value <= 1.0) return {};
    return UsageError("vgcc.{} is {}, expected a number in [0, 1]", key, value);
  };
  for (const auto& [key, value] :
       {std::pair{"gain", config.gain}, {"progress_floor", config.progress_floor}}) {
    GONOGO_TRY(share(key, value));
  }
  if (!(config.anneal_distance_m > 0.0 && std::isfinite(config.anneal_distance_m))) {
    return UsageError("vgcc.anneal_distance is {}, expected a positive distance in metres",
                      config.anneal_distance_m);
  }
  if (config.absolute_margin && config.cost_margin >= 0.0) return {};
  return share("cost_margin", config.cost_margin);
}

double AnnealedGain(const VgccConfig& config, robot::Point2 goal_B) {
  if (!config.anneal) return config.gain;
  const double distance = std::hypot(goal_B.x, goal_B.y);
  return config.gain * std::min(distance / config.anneal_distance_m, 1.0);
}

Decision ApplyGate(const VgccConfig& config, const robot::PostureSpec& posture,
                   const GateInput& input) {
  GONOGO_CHECK(input.candidates.size() == input.responses.size());
  const robot::Command& direct = input.candidates[input.direct];
  const auto fall_back = [&direct](Reason reason) {
    return Decision{.command = direct, .reason = reason, .towards = direct, .gain = 0.0};
  };
  const auto correct = [&](Reason reason, std::size_t candidate) {
    const robot::Command& towards = input.candidates[candidate];
    const double gain = AnnealedGain(config, input.goal_B);
    return Decision{.command = Blend(direct, towards, gain),
                    .reason = reason,
                    .towards = towards,
                    .gain = gain};
  };
  if (config.restore && input.height_m < posture.restore * posture.nominal_height_m) {
    return fall_back(Reason::kRestore);
  }
  const Gate gate(config, posture, input);
  if (config.rescue && gate.DirectWouldBreach()) {
    const std::optional<std::size_t> tallest = gate.Tallest();
    return tallest ? correct(Reason::kRescue, *tallest) : fall_back(Reason::kRescueWithout);
  }
  const std::optional<std::size_t> cheapest = gate.Cheapest();
  if (!cheapest) return fall_back(Reason::kNoneEligible);
  if (!gate.SavesEnough(*cheapest)) return fall_back(Reason::kWithinMargin);
  return correct(Reason::kCompensate, *cheapest);
}

}  // namespace gonogo::control
