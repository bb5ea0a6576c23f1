// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/episode/target_run.h"

#include <utility>

#include "gonogo/base/gravity.h"

namespace gonogo::sim {
namespace {

constexpr double kRounding = 1e-9;  // s, of a time that is a multiple of the control step

}  // namespace

std::string_view WorkRateName(WorkRate rate) {
  return rate == WorkRate::kPhysics ? "physics" : "control";
}

Result<WorkRate> ParseWorkRate(std::string_view text) {
  for (const WorkRate rate : {WorkRate::kPhysics, WorkRate::kControl}) {
    if (text == WorkRateName(rate)) return rate;
  }
  return UsageError(
      "work rate is \"{}\", expected physics (every physics step) or control (once per "
      "control step)",
      text);
}

EpisodeResult AtRate(EpisodeResult result, WorkRate rate) {
  if (rate == WorkRate::kPhysics) return result;
  std::swap(result.work_j, result.control_work_j);
  std::swap(result.power_w, result.control_power_w);
  std::swap(result.cot, result.control_cot);
  std::swap(result.effort, result.control_effort);
  return result;
}

TargetRun::TargetRun(ClosedLoop& loop, const Start& start, robot::Point2 target_S,
                     Observer observer)
    : loop_(loop), observer_(std::move(observer)) {
  loop_.Reset(start);
  progress_.target_W = robot::TargetInWorld({{start.p_W[0], start.p_W[1]}, start.yaw}, target_S);
  const robot::RobotState& state = loop_.env().state();
  progress_.start_ground_z = state.p_W[2] - state.posture_height_m;
  progress_.arrived = Distance() < loop_.env().spec().task.tolerance_m;
}

double TargetRun::Distance() const {
  return robot::Distance(loop_.env().state().pose().p_W, progress_.target_W);
}

bool TargetRun::done() const {
  const Env& env = loop_.env();
  return progress_.arrived || env.termination() != Termination::kNone ||
         env.state().time_s + kRounding >= env.spec().task.horizon_s;
}

Percept TargetRun::Look() {
  const Env& env = loop_.env();
  const robot::Point2 goal_B = robot::GoalInBody(env.state().pose(), progress_.target_W);
  const robot::Command direct =
      robot::DirectCommand(goal_B, env.spec().direct, env.spec().command_box);
  return {loop_.Observe(direct), env.state(), goal_B, direct};
}

Status TargetRun::Execute(const robot::Command& command) {
  ++progress_.decisions;
  const Env& env = loop_.env();
  for (int step = 0; step < env.spec().task.decision_every && !done(); ++step) {
    GONOGO_TRY(loop_.Advance(command));
    progress_.arrived =
        env.termination() == Termination::kNone && Distance() < env.spec().task.tolerance_m;
    if (observer_) observer_(env, command);
  }
  return {};
}

EpisodeResult MeasuredSoFar(const Env& env) {
  const Totals& totals = env.totals();
  EpisodeResult result;
  result.termination = env.termination();
  result.termination_detail = env.termination_detail();
  result.time_s = static_cast<double>(totals.steps) * env.spec().control_dt_s();
  result.work_j = totals.work_j;
  result.path_m = totals.path_m;
  if (totals.steps > 0) {
    result.power_w = totals.work_j / result.time_s;
    result.effort = totals.effort_sum / static_cast<double>(totals.steps);
    result.control_power_w = totals.control_work_j / result.time_s;
    result.control_effort = totals.control_effort_sum / static_cast<double>(totals.steps);
  }
  result.control_work_j = totals.control_work_j;
  if (totals.path_m > 0.0) {
    const double weight_path = env.world().mass_kg() * kGravity * totals.path_m;
    result.cot = totals.work_j / weight_path;
    result.control_cot = totals.control_work_j / weight_path;
  }
  result.final_posture_height_m = env.state().posture_height_m;
  return result;
}

EpisodeResult TargetRun::result() const {
  const Env& env = loop_.env();
  EpisodeResult result = MeasuredSoFar(env);
  result.final_distance_m = Distance();
  result.final_height_m = env.state().p_W[2] - progress_.start_ground_z;
  result.decisions = progress_.decisions;
  const robot::RobotSpec& spec = env.spec();
  result.reached = progress_.arrived && result.termination == Termination::kNone;
  result.success =
      result.reached && result.final_height_m > spec.task.height_fraction * spec.spawn_height_m;
  return result;
}

void TargetRun::Restore(const Bookmark& snapshot) {
  loop_.Restore(snapshot.loop);
  progress_ = snapshot.progress;
}

Result<EpisodeResult> RunToTarget(ClosedLoop& loop, const Start& start, robot::Point2 target_S,
                                  const Decider& decide, TargetRun::Observer observer) {
  TargetRun run(loop, start, target_S, std::move(observer));
  while (!run.done()) {
    GONOGO_TRY(run.Execute(decide(run.Look())));
  }
  return run.result();
}

Start PairedStart(const World& world, const RngStream& cluster, std::uint64_t trial,
                  std::uint64_t target) {
  const RngStream stream = cluster.Child("trial").Child(trial).Child("target").Child(target);
  Rng rng = stream.Child("origin").Generator();
  return DrawStart(world, stream, rng.Below(world.terrain().origins.size()));
}

}  // namespace gonogo::sim
