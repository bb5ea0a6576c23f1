// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/trial.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/loop/step_meter.h"

namespace gonogo::study {
namespace {

constexpr double kSettle = 1.0;       // s until means are taken
constexpr double kFallenShare = 0.5;  // of the spawn height
constexpr double kFallenTilt = 1.0;   // rad
constexpr double kAtLimit = 0.999;    // of a torque limit
constexpr int kSampleEvery = 40;      // control steps

/// Watches one run, step by step.
class Watch {
 public:
  explicit Watch(const sim::Env& env) : env_(env), starts_(env.spec().TermStarts()) {
    const auto joints = static_cast<std::size_t>(env.spec().joint_count());
    const auto observed = static_cast<std::size_t>(env.spec().observation_size());
    seen_.observation.resize(observed);
    seen_.clipped.resize(observed);
    seen_.action.resize(joints);
    seen_.position.resize(joints);
    seen_.torque.resize(joints);
    seen_.target_clipped.resize(joints);
    seen_.torque_limited.resize(joints);
  }

  void Observed(std::span<const float> observation) {
    if (env_.totals().steps % kSampleEvery == kSampleEvery - 1) {
      seen_.samples.emplace_back(observation.begin(), observation.end());
    }
    for (std::size_t i = 0; i < observation.size(); ++i) seen_.observation[i].Add(observation[i]);
    for (std::size_t t = 0; t < starts_.size(); ++t) {
      const robot::ObservationTerm& term = env_.spec().observation[t];
      auto i = static_cast<std::size_t>(starts_[t]);
      for (int k = 0; k < term.size(); ++k, ++i) {
        const double value = observation[i];
        const double scale = term.scale[static_cast<std::size_t>(k % term.width())];
        const bool at = std::isfinite(term.clip_low) && scale != 0.0 &&
                        (value == static_cast<float>(term.clip_low * scale) ||
                         value == static_cast<float>(term.clip_high * scale));
        if (at) ++seen_.clipped[i];
      }
    }
  }

  void Stepped() {
    const robot::RobotSpec& spec = env_.spec();
    const robot::RobotState& state = env_.state();
    const std::size_t joints = seen_.action.size();
    for (std::size_t j = 0; j < joints; ++j) {
      seen_.action[j].Add(state.last_action[j]);
      seen_.position[j].Add(state.q[j]);
      const bool smooth = !state.smoothed_action.empty();
      const double target =
          spec.TargetFor(j, smooth ? state.smoothed_action[j] : state.last_action[j]);
      if (target < spec.target_low[j] || target > spec.target_high[j]) ++seen_.target_clipped[j];
    }
    for (std::size_t i = 0; i < env_.step().torque.size(); ++i) {
      const std::size_t j = i % joints;
      const double torque = env_.step().torque[i];
      seen_.torque[j].Add(torque);
      if (std::abs(torque) >= kAtLimit * spec.actuator.effort_limit[j]) ++seen_.torque_limited[j];
    }
  }

  [[nodiscard]] Seen Take() { return std::move(seen_); }

 private:
  const sim::Env& env_;
  std::vector<int> starts_;  // of the terms
  Seen seen_;
};

/// Why the robot counts as fallen now; empty if it does not.
std::string FallenBecause(const sim::Env& env) {
  switch (env.termination()) {
    case sim::Termination::kDiverged:
      return "the physics blew up: " + env.termination_detail();
    case sim::Termination::kForbiddenContact:
      return "a part that must not touch the ground did (" + env.termination_detail() + ")";
    case sim::Termination::kNone:
      break;
  }
  const robot::RobotState& state = env.state();
  const double least = kFallenShare * env.spec().spawn_height_m;
  if (state.posture_height_m < least) {
    return fmt::format("it was {:.2f} m high, less than half the spawn height",
                       state.posture_height_m);
  }
  if (state.tilt_rad() > kFallenTilt) {
    return fmt::format("it was tilted by {:.1f} rad", state.tilt_rad());
  }
  return "";
}

}  // namespace

void RunningSpread::Add(double value) {
  low = count == 0 ? value : std::min(low, value);
  high = count == 0 ? value : std::max(high, value);
  ++count;
  const double before = value - mean;
  mean += before / static_cast<double>(count);
  squares += before * (value - mean);
}

void RunningSpread::Add(const RunningSpread& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double distance = other.mean - mean;
  const auto a = static_cast<double>(count);
  const auto b = static_cast<double>(other.count);
  mean += distance * b / (a + b);
  squares += other.squares + distance * distance * a * b / (a + b);
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  count += other.count;
}

double RunningSpread::deviation() const {
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0;
}

void Seen::Add(const Seen& other) {
  if (observation.empty()) {
    *this = other;
    return;
  }
  const auto merge = [](auto& mine, const auto& theirs) {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if constexpr (requires { mine[i].Add(theirs[i]); }) {
        mine[i].Add(theirs[i]);
      } else {
        mine[i] += theirs[i];
      }
    }
  };
  merge(observation, other.observation);
  merge(clipped, other.clipped);
  merge(action, other.action);
  merge(position, other.position);
  merge(torque, other.torque);
  merge(target_clipped, other.target_clipped);
  merge(torque_limited, other.torque_limited);
  samples.insert(samples.end(), other.samples.begin(), other.samples.end());
}

std::vector<CommandTrial> TrialsOf(const robot::CommandBox& box,
                                   const std::vector<robot::CommandChannel>& channels) {
  std::vector<CommandTrial> trials{{"zero", -1, {}}};
  const auto add = [&](const char* name, int channel, double told, double robot::Command::*part) {
    if (told == 0.0) return;
    CommandTrial trial{name, channel, {}};
    trial.command.*part = told;
    trials.push_back(trial);
  };
  add("vx+", 0, std::max(box.high.vx, 0.0), &robot::Command::vx);
  add("vx-", 0, std::min(box.low.vx, 0.0), &robot::Command::vx);
  add("vy+", 1, std::max(box.high.vy, 0.0), &robot::Command::vy);
  add("vy-", 1, std::min(box.low.vy, 0.0), &robot::Command::vy);
  add("wz+", 2, std::max(box.high.wz, 0.0), &robot::Command::wz);
  add("wz-", 2, std::min(box.low.wz, 0.0), &robot::Command::wz);
  for (const robot::CommandChannel& channel : channels) {
    if (channel.is_velocity()) continue;
    for (const auto& [direction, bound] : {std::pair{'+', &box.high}, {'-', &box.low}}) {
      if ((*bound)[channel.slot] == 0.0) continue;
      CommandTrial trial{channel.name + direction, static_cast<int>(channel.slot), {}};
      trial.command.vx = 0.5 * std::max(box.high.vx, 0.0);
      trial.command[channel.slot] = (*bound)[channel.slot];
      trial.told = channel.Of(*bound);
      trials.push_back(std::move(trial));
    }
  }
  return trials;
}

Result<TrialResult> RunTrial(const std::shared_ptr<const sim::World>& world,
                             const std::shared_ptr<const robot::Policy>& policy,
                             const CommandTrial& trial, double seconds) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
  const sim::Env& env = loop.env();
  sim::Start start;
  start.p_W = {0.0, 0.0, env.spec().spawn_height_m};
  loop.Reset(start);
  Watch watch(env);
  TrialResult result;
  Motion& motion = result.motion;
  motion.lowest_m = env.state().posture_height_m;
  long samples = 0;
  sim::StepMeter steps(env.feet().size());
  while (motion.end.empty() && env.state().time_s < seconds) {
    watch.Observed(loop.Observe(trial.command));
    GONOGO_TRY(loop.Advance(trial.command));
    motion.end = FallenBecause(env);
    motion.fell = !motion.end.empty();
    motion.time_s = static_cast<double>(env.totals().steps) * env.spec().control_dt_s();
    if (env.termination() == sim::Termination::kDiverged) break;
    watch.Stepped();
    const robot::RobotState& state = env.state();
    motion.lowest_m = std::min(motion.lowest_m, state.posture_height_m);
    motion.tilt_rad = std::max(motion.tilt_rad, state.tilt_rad());
    steps.Add(env.feet(), env.spec().control_dt_s(), state.time_s > kSettle);
    if (state.time_s <= kSettle) continue;
    ++samples;
    motion.height_m += state.posture_height_m;
    motion.power_w += env.step().power_w;
    motion.velocity[0] += state.v_B[0];
    motion.velocity[1] += state.v_B[1];
    motion.velocity[2] += state.w_B[2];
  }
  if (samples > 0) {
    const auto count = static_cast<double>(samples);
    motion.height_m /= count;
    motion.power_w /= count;
    for (double& component : motion.velocity) component /= count;
  }
  motion.step_height_m = steps.height_m();
  motion.step_frequency_hz = steps.frequency_hz();
  result.seen = watch.Take();
  return result;
}

namespace {

constexpr int kSweepPoints = 5;

}  // namespace

Result<std::vector<ChannelPoint>> SweepChannels(const std::shared_ptr<const sim::World>& world,
                                                const std::shared_ptr<const robot::Policy>& policy,
                                                double seconds, const Execution& execution) {
  const robot::RobotSpec& robot = world->spec();
  std::vector<ChannelPoint> points;
  std::vector<CommandTrial> trials;
  for (const robot::CommandChannel& channel : robot.channels) {
    if (channel.is_velocity()) continue;
    const double low = channel.Of(robot.command_box.low);
    const double high = channel.Of(robot.command_box.high);
    for (int i = 0; i < kSweepPoints; ++i) {
      const double told = low + (high - low) * i / (kSweepPoints - 1);
      CommandTrial trial{channel.name + "=", static_cast<int>(channel.slot), {}, told};
      trial.command.vx = 0.5 * std::max(robot.command_box.high.vx, 0.0);
      channel.Set(trial.command, told);
      points.push_back({.channel = channel.name, .told = told});
      trials.push_back(std::move(trial));
    }
  }
  std::vector<std::optional<Result<TrialResult>>> runs(trials.size());
  ParallelFor(execution.jobs, trials.size(),
              [&](std::size_t i) { runs[i] = RunTrial(world, policy, trials[i], seconds); });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const TrialResult run = GONOGO_TRY(*std::move(runs[i]));
    points[i].motion = run.motion;
  }
  return points;
}

}  // namespace gonogo::study
