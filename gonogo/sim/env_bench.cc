// SPDX-License-Identifier: Apache-2.0
// What a control step costs beside the bare engine steps it contains, and how environments scale
// over cores. Both replays are checked to give the same bytes before anything is timed.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel.h"
#include "gonogo/sim/env.h"

namespace gonogo::sim {
namespace {

constexpr int kSteps = 50;  // control steps of one replay: one second

std::shared_ptr<const World> RoughWorld() {
  const robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  return World::Create(spec, RoughTerrain(2, spec.terrain, RngStream(5))).value();
}

/// A stepping motion, so that feet come and go.
void Action(int step, std::span<float> action) {
  for (std::size_t j = 0; j < action.size(); ++j) {
    const double side = (j % 4 == 0 || j % 4 == 3) ? 1.0 : -1.0;
    const std::size_t kind = j / 4;  // hip, thigh, calf
    action[j] =
        static_cast<float>(side * 0.8 * std::sin(0.3 * step + 0.5 * static_cast<double>(kind)));
  }
}

/// Control steps with everything: observation, actuator, contacts, logs.
void Replay(Env& env, const Snapshot& start) {
  env.Restore(start);
  std::vector<float> action(static_cast<std::size_t>(env.spec().joint_count()));
  for (int step = 0; step < kSteps; ++step) {
    benchmark::DoNotOptimize(env.Observe({.vx = 0.5}).data());
    Action(step, action);
    GONOGO_CHECK(env.Step(action).ok());
  }
}

/// The torques of a replay, so that the engine can be driven without us.
std::vector<double> RecordTorques(Env& env, const Snapshot& start) {
  std::vector<double> torques;
  env.Restore(start);
  std::vector<float> action(static_cast<std::size_t>(env.spec().joint_count()));
  for (int step = 0; step < kSteps; ++step) {
    Action(step, action);
    GONOGO_CHECK(env.Step(action).ok());
    torques.insert(torques.end(), env.step().torque.begin(), env.step().torque.end());
  }
  return torques;
}

/// Nothing but the engine, driven by recorded torques from the same state.
void BareReplay(const World& world, mjData& data, const Snapshot& start,
                const std::vector<double>& torques) {
  const mjModel& model = *world.model();
  const Binding& at = world.binding();
  const double* state = start.physics.data() + 1;
  std::copy_n(state, model.nq, data.qpos);
  std::copy_n(state + model.nq, model.nv, data.qvel);
  std::copy_n(state + model.nq + model.nv + model.na, model.nv, data.qacc_warmstart);
  const std::size_t joints = at.actuator.size();
  for (std::size_t t = 0; t < torques.size(); t += joints) {
    for (std::size_t j = 0; j < joints; ++j) data.ctrl[at.actuator[j]] = torques[t + j];
    mj_step(&model, &data);
  }
}

struct Fixture {
  std::shared_ptr<const World> world = RoughWorld();
  Env env{world};
  Snapshot start;
  DataPtr data{mj_makeData(world->model())};
  std::vector<double> torques;

  Fixture() {
    env.Reset(DrawStart(*world, RngStream(1)));
    const std::vector<float> stand(12, 0.0F);
    for (int step = 0; step < 50; ++step) GONOGO_CHECK(env.Step(stand).ok());
    start = env.Save();
    torques = RecordTorques(env, start);
    BareReplay(*world, *data, start, torques);
    GONOGO_CHECK(env.termination() == Termination::kNone);
    const std::vector<double> end = env.Save().physics;
    for (int i = 0; i < world->model()->nq; ++i) {
      GONOGO_CHECK(end[static_cast<std::size_t>(i) + 1] == data->qpos[i]);
    }
  }
};

void BM_ControlStep(benchmark::State& state) {
  Fixture f;
  for (auto _ : state) Replay(f.env, f.start);
  state.SetItemsProcessed(state.iterations() * kSteps);
}
BENCHMARK(BM_ControlStep)->Unit(benchmark::kMicrosecond);

void BM_BareEngine(benchmark::State& state) {
  Fixture f;
  for (auto _ : state) BareReplay(*f.world, *f.data, f.start, f.torques);
  state.SetItemsProcessed(state.iterations() * kSteps);
}
BENCHMARK(BM_BareEngine)->Unit(benchmark::kMicrosecond);

void BM_SaveAndRestore(benchmark::State& state) {
  Fixture f;
  for (auto _ : state) f.env.Restore(f.env.Save());
}
BENCHMARK(BM_SaveAndRestore)->Unit(benchmark::kMicrosecond);

void BM_ManyEnvironments(benchmark::State& state) {
  const int jobs = static_cast<int>(state.range(0));
  Fixture f;
  std::vector<Env> envs;
  for (int i = 0; i < 32; ++i) envs.emplace_back(f.world);
  for (auto _ : state) {
    ParallelFor(jobs, envs.size(), [&](std::size_t i) { Replay(envs[i], f.start); });
  }
  const std::vector<double> first = envs.front().Save().physics;
  for (Env& env : envs) GONOGO_CHECK(env.Save().physics == first);
  state.SetItemsProcessed(state.iterations() * kSteps * static_cast<std::int64_t>(envs.size()));
}
BENCHMARK(BM_ManyEnvironments)
    ->ArgName("jobs")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::sim
