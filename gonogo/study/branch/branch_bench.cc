// SPDX-License-Identifier: Apache-2.0
// Branches per second from a snapshot, and the slow way: replaying the episode from its start.
#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/study/branch/branch.h"

namespace gonogo::study {
namespace {

/// A direct episode to the farthest target, queried in the middle.
struct Queried {
  Scene scene = OpenScene(GONOGO_SOURCE_DIR "/robots/go2", "rough", 3).value();
  Method direct = OpenMethod("direct", scene.robot, "", {}).value();
  SourceEpisode episode = RunSource(scene, direct, RngStream(1), 0, 0, {2.0, 0.0}).value();
  std::size_t decision = episode.commands.size() / 2;
  Intervention intervention = ParseIntervention("scale-0.75").value();
  sim::ClosedLoop loop = sim::ClosedLoop::Create(scene.world, scene.policy).value();

  BranchOutcome Fast() {
    sim::TargetRun run(loop, episode.start, episode.target_S);
    run.Restore(episode.states[decision]);
    return RunBranch(run, intervention, {}, *direct.make()).value();
  }
  BranchOutcome Slow() {
    sim::TargetRun run(loop, episode.start, episode.target_S);
    GONOGO_CHECK(ReplayTo(decision, episode, run).ok());
    return RunBranch(run, intervention, {}, *direct.make()).value();
  }
};

void BM_BranchFromSnapshot(benchmark::State& state) {
  Queried query;
  GONOGO_CHECK(query.Fast() == query.Slow());
  for (auto _ : state) benchmark::DoNotOptimize(query.Fast());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_BranchFromSnapshot)->Unit(benchmark::kMillisecond);

void BM_BranchFromTheStart(benchmark::State& state) {
  Queried query;
  GONOGO_CHECK(query.Fast() == query.Slow());
  for (auto _ : state) benchmark::DoNotOptimize(query.Slow());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_BranchFromTheStart)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::study
