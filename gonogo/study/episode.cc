// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/episode.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/rng.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/world/figure.h"
#include "gonogo/sim/world/world.h"

namespace gonogo::study {

control::Situation SituationOf(const sim::Percept& percept) {
  return {.observation = percept.observation,
          .goal_B = percept.goal_B,
          .height_m = percept.state.posture_height_m,
          .tilt_rad = percept.state.tilt_rad()};
}

sim::Start EvaluationStart(const Scene& scene, std::uint64_t seed, int trial, std::size_t target) {
  return SceneStart(scene, RngStream(seed).Child("evaluation"), static_cast<std::uint64_t>(trial),
                    target);
}

sim::Start SceneStart(const Scene& scene, const RngStream& cluster, std::uint64_t trial,
                      std::uint64_t target) {
  sim::Start start = sim::PairedStart(*scene.world, cluster, trial, target);
  const RngStream stream = cluster.Child("trial").Child(trial).Child("target").Child(target);
  sim::Expose(scene.conditions, scene.robot, stream, start);
  return start;
}

Result<sim::EpisodeRecord> RecordEpisode(const Scene& scene, const Method& method,
                                         const sim::Start& start, robot::Point2 target_S,
                                         std::vector<sim::Bookmark>* states) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::Figure figure = GONOGO_TRY(sim::Figure::Create(scene.robot));
  const std::unique_ptr<control::Controller> controller = method.make();
  sim::EpisodeRecorder recorder(loop.env(), figure);
  sim::TargetRun run(loop, start, target_S, std::ref(recorder));
  recorder.Begin();
  while (!run.done()) {
    if (states != nullptr) states->push_back(run.Save());
    const control::CommandDecision decision = controller->Decide(SituationOf(run.Look()));
    GONOGO_TRY(run.Execute(decision.command));
  }
  sim::EpisodeRecord record = recorder.Finish(run);
  record.controller = method.name;
  return record;
}

namespace {

constexpr double kStartingUp = 1.0;  // s left out of the means, or half of a shorter drive

}  // namespace

robot::Pose2 PoseAfter(const robot::Pose2& start, const robot::Command& command, double seconds) {
  // Constant body velocities make an arc: the displacement in the frame of the start is the
  // integral of a turning vector.
  const double turned = command.wz * seconds;
  const bool straight = std::abs(turned) < 1e-9;
  const double along = straight ? seconds : std::sin(turned) / command.wz;
  const double across = straight ? 0.0 : (1.0 - std::cos(turned)) / command.wz;
  const robot::Point2 moved{command.vx * along - command.vy * across,
                            command.vx * across + command.vy * along};
  return {robot::TargetInWorld(start, moved), start.yaw + turned};
}

Result<Drive> RecordDrive(const Scene& scene, const robot::Command& command, double seconds,
                          const sim::Start& start) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::Figure figure = GONOGO_TRY(sim::Figure::Create(scene.robot));
  const sim::Env& env = loop.env();
  loop.Reset(start);
  const double ground_z = env.state().p_W[2] - env.state().posture_height_m;
  sim::EpisodeRecorder recorder(env, figure);
  recorder.Begin();
  Drive drive;
  long samples = 0;
  const long steps = std::lround(seconds / env.spec().control_dt_s());
  const double settled_s = std::min(kStartingUp, 0.5 * seconds);
  while (env.totals().steps < steps && env.termination() == sim::Termination::kNone) {
    GONOGO_TRY(loop.Advance(command));
    recorder(env, command);
    const robot::RobotState& state = env.state();
    if (state.time_s <= settled_s || env.termination() != sim::Termination::kNone) continue;
    ++samples;
    drive.velocity[0] += state.v_B[0];
    drive.velocity[1] += state.v_B[1];
    drive.velocity[2] += state.w_B[2];
  }
  for (double& component : drive.velocity) {
    component /= static_cast<double>(std::max(samples, 1L));
  }
  const robot::Point2 target_W =
      PoseAfter({{start.p_W[0], start.p_W[1]}, start.yaw}, command, seconds).p_W;
  sim::EpisodeResult result = sim::MeasuredSoFar(env);
  result.final_distance_m = robot::Distance(env.state().pose().p_W, target_W);
  result.final_height_m = env.state().p_W[2] - ground_z;
  drive.record = recorder.Finish(target_W, result);
  return drive;
}

}  // namespace gonogo::study
