// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <vector>

#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/base/testing/bench_size.h"
#include "gonogo/train/ppo/ppo.h"
#include "gonogo/train/trainer.h"

namespace gonogo::train {
namespace {

// A short training of the shipped robot from scratch: imitation, then reinforcement. Learning is
// checked (the reward must rise above that of the imitated trot), then reported with its speed.
void BM_TrainFromScratch(benchmark::State& state) {
  const std::filesystem::path robot = GONOGO_SOURCE_DIR "/robots/go2";
  const robot::RobotSpec spec = robot::LoadRobotSpec(robot).value();
  Recipe recipe = LoadRecipe(robot / "train.toml", spec).value();
  recipe.environments = bench::BenchSize(64, 8);
  recipe.steps = bench::BenchSize(recipe.steps, 4);
  recipe.clone.rounds = bench::BenchSize(10, 1);
  recipe.critic_warm_up = 10;
  recipe.stages = {{.iterations = static_cast<int>(state.range(0)), .rough_m = 0.03}};
  const std::filesystem::path out = std::filesystem::temp_directory_path() / "gonogo_train_bench";
  std::vector<TrainProgress> curve;
  for (auto _ : state) {
    curve.clear();
    std::filesystem::remove_all(out);
    TrainOptions options{.out = out};
    options.on_progress = [&curve](const TrainProgress& line) {
      if (!line.cloning) curve.push_back(line);
    };
    GONOGO_CHECK(Train(WalkingProblem(spec, recipe), recipe, options).ok());
    GONOGO_CHECK(bench::TinyBenchmarks() ||
                 curve.back().reward_per_step > curve.front().reward_per_step);
  }
  std::filesystem::remove_all(out);
  state.SetItemsProcessed(state.iterations() * curve.back().samples);
  state.counters["reward_first"] = curve.front().reward_per_step;
  state.counters["reward_last"] = curve.back().reward_per_step;
  state.counters["error_first_mps"] = curve.front().tracking_error;
  state.counters["error_last_mps"] = curve.back().tracking_error;
}
BENCHMARK(BM_TrainFromScratch)
    ->ArgName("iterations")
    ->Arg(bench::BenchSize(60, 10))  // progress is told every fifth time
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

// Iterations of reinforcement on the ground of the recipe's second stage: what training consists
// of. The walking start drives, so that the robots walk whatever the networks have learned; the
// networks are evaluated and updated as in training. Items are control steps.
void BM_TrainingSteps(benchmark::State& state) {
  const std::filesystem::path robot = GONOGO_SOURCE_DIR "/robots/go2";
  const robot::RobotSpec spec = robot::LoadRobotSpec(robot).value();
  Recipe recipe = LoadRecipe(robot / "train.toml", spec).value();
  recipe.environments = bench::BenchSize(128, 8);
  recipe.steps = bench::BenchSize(24, 4);
  recipe.ppo.epochs = 2;
  recipe.fast_ground = state.range(0) != 0;
  recipe.ppo.alternate_reflections = state.range(1) != 0;
  const Problem problem = WalkingProblem(spec, recipe);
  Environments environments =
      problem.environments({.rough_m = 0.06, .difficulty = 0.4, .tile_share = 0.5}, RngStream(3))
          .value();
  PpoLearner learner(
      recipe.ppo,
      MakeActorCritic(recipe.network, problem.input_scale, problem.action_dim, RngStream(1)),
      problem.symmetry);
  Rollout rollout(environments.size(), recipe.steps, learner.networks().observation_dim(),
                  learner.networks().action_dim());
  std::uint64_t round = 0;
  for (auto _ : state) {
    const RngStream stream = RngStream(7).Child(round++);
    Collect(learner.networks(), Behaviour::kExpert, stream, 0, environments, rollout);
    learner.Update(rollout, false, stream, 0);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rollout.size()));
}
BENCHMARK(BM_TrainingSteps)
    ->ArgNames({"fast_ground", "alternate"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 1})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::train
