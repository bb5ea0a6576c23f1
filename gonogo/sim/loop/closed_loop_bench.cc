// SPDX-License-Identifier: Apache-2.0
// What a control step of the shipped Go2 policy (observation, scan, network, actuators, physics,
// contacts, logs) costs beside the bare engine steps it contains, and how loops scale over cores.
// Both ways are checked to end in the same state before anything is timed.
#include <algorithm>
#include <ctime>
#include <limits>
#include <vector>

#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/world/ground.h"

namespace gonogo::sim {
namespace {

constexpr int kSteps = 50;      // control steps of one replay: one second
constexpr int kApproach = 150;  // before it: from the middle of a tile of stairs to its steps
constexpr robot::Command kCommand{.vx = 0.5, .vy = 0.2, .wz = 0.3};

/// One second of walking, and the torques that drove it.
struct Walk {
  robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  std::shared_ptr<const World> world;
  std::shared_ptr<const robot::Policy> policy = OnnxPolicy::Load(spec).value();
  ClosedLoop loop;
  LoopSnapshot start;
  std::vector<double> torques;
  DataPtr data{mj_makeData(world->model())};

  explicit Walk(const char* ground = "rough")
      : world(World::Create(spec,
                            MakeGround(Ground::Parse(ground).value(), spec.terrain, RngStream(5)))
                  .value()),
        loop(ClosedLoop::Create(world, policy).value()) {
    loop.Reset(DrawStart(*world, RngStream(1)));
    for (int step = 0; step < kApproach; ++step) GONOGO_CHECK(loop.Advance(kCommand).ok());
    start = loop.Save();
    for (int step = 0; step < kSteps; ++step) {
      GONOGO_CHECK(loop.Advance(kCommand).ok());
      const std::vector<double>& torque = loop.env().step().torque;
      torques.insert(torques.end(), torque.begin(), torque.end());
    }
    GONOGO_CHECK(loop.env().termination() == Termination::kNone);
    GONOGO_CHECK(loop.env().totals().path_m > 0.2);
    BareReplay();
    const std::span<const double> end = loop.env().qpos();
    GONOGO_CHECK(std::equal(end.begin(), end.end(), data->qpos));
  }

  void Replay(ClosedLoop& other) const {
    other.Restore(start);
    for (int step = 0; step < kSteps; ++step) GONOGO_CHECK(other.Advance(kCommand).ok());
  }

  /// Nothing but the engine, driven by the recorded torques from the same state.
  void BareReplay() {
    const mjModel& model = *world->model();
    const double* state = start.env.physics.data() + 1;
    std::copy_n(state, model.nq, data->qpos);
    std::copy_n(state + model.nq, model.nv, data->qvel);
    std::copy_n(state + model.nq + model.nv + model.na, model.nv, data->qacc_warmstart);
    const std::vector<int>& actuator = world->binding().actuator;
    for (std::size_t t = 0; t < torques.size(); t += actuator.size()) {
      for (std::size_t j = 0; j < actuator.size(); ++j) data->ctrl[actuator[j]] = torques[t + j];
      mj_step(&model, data.get());
    }
  }
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The loop and the bare engine in turns, so that both meet the same moods of the machine.
/// `over_bare` is the quotient of their fastest replays: what else runs here can only add to
/// either.
void BM_ControlStep(benchmark::State& state, const char* ground) {
  Walk walk(ground);
  double whole = std::numeric_limits<double>::infinity();
  double bare = whole;
  for (auto _ : state) {
    const double begin = CpuSeconds();
    walk.Replay(walk.loop);
    const double middle = CpuSeconds();
    walk.BareReplay();
    const double end = CpuSeconds();
    whole = std::min(whole, middle - begin);
    bare = std::min(bare, end - middle);
    state.SetIterationTime(end - begin);
  }
  state.counters["step_us"] = 1e6 * whole / kSteps;
  state.counters["bare_us"] = 1e6 * bare / kSteps;
  state.counters["over_bare"] = whole / bare;
}
BENCHMARK_CAPTURE(BM_ControlStep, flat, "flat")->Unit(benchmark::kMicrosecond)->UseManualTime();
BENCHMARK_CAPTURE(BM_ControlStep, rough, "rough")->Unit(benchmark::kMicrosecond)->UseManualTime();
BENCHMARK_CAPTURE(BM_ControlStep, stairs, "stairs@0.3")
    ->Unit(benchmark::kMicrosecond)
    ->UseManualTime();

void BM_Policy(benchmark::State& state) {
  Walk walk;
  robot::PolicyMemory memory = walk.policy->StartMemory();
  std::vector<float> action(12);
  const std::span<const float> observation = walk.loop.Observe(kCommand);
  for (auto _ : state) walk.policy->Act(observation, action, memory);
}
BENCHMARK(BM_Policy)->Unit(benchmark::kMicrosecond);

void BM_Scan(benchmark::State& state) {
  Walk walk;
  std::vector<float> scan(static_cast<std::size_t>(walk.spec.scan.size()));
  for (auto _ : state) {
    walk.world->Scan({0.3, 0.2, 0.4}, 0.7, scan);
    benchmark::DoNotOptimize(scan.data());
  }
}
BENCHMARK(BM_Scan)->Unit(benchmark::kMicrosecond);

void BM_SaveAndRestore(benchmark::State& state) {
  Walk walk;
  for (auto _ : state) walk.loop.Restore(walk.loop.Save());
}
BENCHMARK(BM_SaveAndRestore)->Unit(benchmark::kMicrosecond);

void BM_ManyLoops(benchmark::State& state) {
  const int jobs = static_cast<int>(state.range(0));
  const Walk walk;
  std::vector<ClosedLoop> loops;
  for (int i = 0; i < 32; ++i) {
    loops.push_back(ClosedLoop::Create(walk.world, walk.policy).value());
  }
  for (auto _ : state) {
    ParallelFor(jobs, loops.size(), [&](std::size_t i) { walk.Replay(loops[i]); });
  }
  for (const ClosedLoop& loop : loops) {
    GONOGO_CHECK(loop.Save().env.physics == walk.loop.Save().env.physics);
  }
  state.SetItemsProcessed(state.iterations() * kSteps * static_cast<std::int64_t>(loops.size()));
}
BENCHMARK(BM_ManyLoops)
    ->ArgName("jobs")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::sim
