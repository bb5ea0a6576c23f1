// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/vgcc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "gonogo/base/check.h"

namespace gonogo::control {
namespace {

constexpr std::array kScales{0.4, 0.6, 0.8, 1.2};
constexpr std::array kYawOffsets{0.2, -0.2, 0.4, -0.4};     // rad/s
constexpr std::array kSpeeds{0.25, 0.5, 0.75, 1.0};         // m/s
constexpr std::array kHeadings{0.0, 0.3, -0.3, 0.6, -0.6};  // rad
constexpr std::array kYawScales{0.0, 0.5, 1.0};

}  // namespace

CandidateSet::CandidateSet(const robot::Command& direct, robot::Point2 goal_B,
                           const robot::CommandBox& box,
                           std::span<const robot::CommandChannel> channels) {
  Add(direct);
  for (const double scale : kScales) Add(box.Clamp(scale * direct));
  for (const double offset : kYawOffsets) {
    Add(box.Clamp({direct.vx, direct.vy, direct.wz + offset}));
  }
  const double bearing = std::atan2(goal_B.y, goal_B.x);
  for (const double speed : kSpeeds) {
    for (const double heading : kHeadings) {
      const double vx = speed * std::cos(bearing + heading);
      const double vy = speed * std::sin(bearing + heading);
      for (const double yaw : kYawScales) Add(box.Clamp({vx, vy, yaw * direct.wz}));
    }
  }
  for (const robot::CommandChannel& channel : channels) {
    for (const double value : channel.candidates) {
      robot::Command changed = direct;
      channel.Set(changed, value);
      Add(box.Clamp(changed));
    }
  }
}

void CandidateSet::Add(const robot::Command& clipped) {
  const auto end = commands_.begin() + static_cast<std::ptrdiff_t>(count_);
  if (std::find(commands_.begin(), end, clipped) == end) commands_[count_++] = clipped;
}

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

CommandDecision ApplyGate(const VgccConfig& config, const robot::PostureSpec& posture,
                          const GateInput& input) {
  GONOGO_CHECK(input.candidates.size() == input.responses.size());
  const robot::Command& direct = input.candidates[input.direct];
  const auto fall_back = [&direct](Reason reason) {
    return CommandDecision{.command = direct, .reason = reason, .towards = direct, .gain = 0.0};
  };
  const auto correct = [&](Reason reason, std::size_t candidate) {
    const robot::Command& towards = input.candidates[candidate];
    const double gain = AnnealedGain(config, input.goal_B);
    return CommandDecision{.command = Blend(direct, towards, gain),
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

Result<Vgcc> Vgcc::Create(const VgccConfig& config, const robot::RobotSpec& robot,
                          std::shared_ptr<const response::ResponsePredictor> model) {
  GONOGO_TRY(Validate(config));
  if (!(robot.posture.nominal_height_m > 0.0)) {
    return InputError("{}: posture.nominal_height is {}, expected a positive height",
                      robot.file.string(), robot.posture.nominal_height_m);
  }
  const robot::PostureSpec& posture = robot.posture;
  if (!(posture.rescue <= posture.eligible && posture.eligible <= posture.restore)) {
    return InputError(
        "{}: posture has rescue {}, eligible {} and restore {}, expected rescue <= eligible <= "
        "restore",
        robot.file.string(), posture.rescue, posture.eligible, posture.restore);
  }
  return Vgcc(config, robot, std::move(model));
}

Vgcc::Vgcc(const VgccConfig& config, const robot::RobotSpec& robot,
           std::shared_ptr<const response::ResponsePredictor> model)
    : config_(config),
      direct_(robot),
      posture_(robot.posture),
      channels_(robot.channels),
      model_(std::move(model)),
      scratch_(model_->MakeScratch(CandidateSet::kCapacity)),
      responses_() {}

CommandDecision Vgcc::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const CandidateSet set(direct, now.goal_B, direct_.box(), channels_);
  const std::span<const robot::Command> candidates = set.commands();
  const std::span<response::Response> responses = std::span(responses_).first(candidates.size());
  if (config_.score_executed) {
    const double gain = AnnealedGain(config_, now.goal_B);
    std::array<robot::Command, CandidateSet::kCapacity> executed;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      executed[i] = Blend(direct, candidates[i], gain);
    }
    model_->Predict(now.observation, std::span(executed).first(candidates.size()), responses,
                    *scratch_);
  } else {
    model_->Predict(now.observation, candidates, responses, *scratch_);
  }
  return ApplyGate(config_, posture_,
                   {.goal_B = now.goal_B,
                    .height_m = now.height_m,
                    .direct = 0,
                    .candidates = candidates,
                    .responses = responses});
}

}  // namespace gonogo::control
