// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::train {
namespace {

constexpr int kRoughTiles = 8;  // 64 m: nobody walks off the ground in an episode

// Sums over the control steps of one episode.
struct Tracked {
  double velocity_error = 0.0;
  double yaw_error = 0.0;
  double work_j = 0.0;
  int upright = 0;  // steps before a fall
  int steps = 0;
  bool survived = false;
};

struct Case {
  const std::string* family = nullptr;  // null: a constant command …
  bool stand = false;                   // … which is zero
  robot::Point2 target;
  int index = 0;
};

struct Outcome {
  Tracked tracked;
  bool success = false;
  double cot = 0.0;
  std::optional<Error> error;
};

bool Alive(const sim::Env& env) { return env.termination() == sim::Termination::kNone; }

sim::Terrain MakeGround(const robot::RobotSpec& spec, const EvaluationOptions& options,
                        const RngStream& stream) {
  switch (options.ground) {
    case EvaluationOptions::Ground::kFlat:
      return sim::FlatTerrain();
    case EvaluationOptions::Ground::kRough:
      return sim::RoughTerrain(kRoughTiles, spec.terrain, stream);
    case EvaluationOptions::Ground::kGrid:
      return sim::GridTerrain(spec.terrain, stream);
  }
  return sim::FlatTerrain();
}

// The middle of the ground, where every direction is long; on the grid, any tile that is not too
// difficult.
std::size_t PickOrigin(const sim::Terrain& terrain, const EvaluationOptions& options, Rng& rng) {
  const std::size_t count = terrain.origins.size();
  if (options.ground != EvaluationOptions::Ground::kGrid) return (count + kRoughTiles) / 2 % count;
  for (;;) {
    const std::size_t origin = rng.Below(count);
    if (terrain.origins[origin].difficulty <= options.max_difficulty) return origin;
  }
}

Tracked FollowCommand(const EvaluationOptions& options, double seconds,
                      const robot::Command& command, sim::ClosedLoop& loop,
                      std::optional<Error>& error) {
  const sim::Env& env = loop.env();
  const auto steps = [&env](double time_s) {
    return static_cast<int>(std::lround(time_s / env.spec().control_dt_s()));
  };
  const int end = steps(seconds);
  Tracked tracked;
  int t = 0;
  for (; t < end && Alive(env) && !env.step().left_terrain; ++t) {
    const Status advanced = loop.Advance(command);
    if (!advanced.ok()) {
      error = advanced.error();
      return tracked;
    }
    if (t < steps(options.settle_s) || !Alive(env)) continue;
    const robot::RobotState& state = env.state();
    tracked.velocity_error +=
        std::hypot(command.vx - state.v_com_B[0], command.vy - state.v_com_B[1]);
    tracked.yaw_error += std::abs(command.wz - state.w_B[2]);
    tracked.work_j += env.step().work_j;
    ++tracked.upright;
  }
  tracked.steps = tracked.upright;
  tracked.survived = Alive(env);
  if (tracked.survived) return tracked;
  // The step of the fall itself was not counted above.
  const int lost = end - std::max(t - 1, steps(options.settle_s));
  tracked.velocity_error += lost * std::hypot(command.vx, command.vy);
  tracked.yaw_error += lost * std::abs(command.wz);
  tracked.steps += lost;
  return tracked;
}

std::vector<Case> ListCases(const robot::RobotSpec& spec, const EvaluationOptions& options) {
  std::vector<Case> cases;
  for (int i = 0; i < options.commands; ++i) cases.push_back({.index = i});
  cases.push_back({.stand = true});
  for (const auto& [family, targets] : spec.task.targets) {
    for (std::size_t k = 0; k < targets.size(); ++k) {
      for (int trial = 0; trial < options.trials; ++trial) {
        const int index = trial * static_cast<int>(targets.size()) + static_cast<int>(k);
        cases.push_back({.family = &family, .target = targets[k], .index = index});
      }
    }
  }
  return cases;
}

Outcome RunCase(const EvaluationOptions& options, const Case& now, const RngStream& seed_stream,
                sim::ClosedLoop loop) {
  const sim::World& world = loop.env().world();
  const std::string kind = now.family != nullptr ? *now.family : now.stand ? "stand" : "command";
  const RngStream stream = seed_stream.Child(kind).Child(now.index);
  Rng rng = stream.Generator();
  const sim::Start start = sim::DrawStart(world, stream, PickOrigin(world.terrain(), options, rng));
  Outcome outcome;
  if (now.family != nullptr) {
    const Result<sim::EpisodeResult> episode = sim::RunToTarget(
        loop, start, now.target, [](const sim::Percept& percept) { return percept.direct; });
    if (!episode.ok()) outcome.error = episode.error();
    if (episode.ok()) {
      outcome.success = episode.value().success;
      outcome.cot = episode.value().cot;
    }
    return outcome;
  }
  loop.Reset(start);
  if (now.stand) {
    outcome.tracked = FollowCommand(options, options.stand_s, {}, loop, outcome.error);
    return outcome;
  }
  const robot::CommandBox& box = world.spec().command_box;
  const robot::Command command{.vx = rng.Uniform(box.low.vx, box.high.vx),
                               .vy = rng.Uniform(box.low.vy, box.high.vy),
                               .wz = rng.Uniform(box.low.wz, box.high.wz)};
  outcome.tracked = FollowCommand(options, options.episode_s, command, loop, outcome.error);
  return outcome;
}

// Sums that become means once all terrain seeds were tried.
struct Counted {
  int steps = 0;
  int standing = 0;  // steps told to stand, before a fall
};

// Adds the outcomes of one terrain seed, in the order of the cases.
Status AddOutcomes(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes,
                   Counted& counted, WalkEvaluation& evaluation) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    if (outcome.error) return *outcome.error;
    if (cases[i].family != nullptr) {
      TargetScore& score = evaluation.targets[*cases[i].family];
      ++score.episodes;
      score.successes += outcome.success ? 1 : 0;
      score.cot_sum += outcome.cot;
      continue;
    }
    if (cases[i].stand) {
      ++evaluation.stands;
      evaluation.stood += outcome.tracked.survived ? 1 : 0;
      evaluation.stand_power_w += outcome.tracked.work_j;
      counted.standing += outcome.tracked.upright;
      continue;
    }
    ++evaluation.episodes;
    evaluation.survived += outcome.tracked.survived ? 1 : 0;
    evaluation.velocity_error += outcome.tracked.velocity_error;
    evaluation.yaw_error += outcome.tracked.yaw_error;
    counted.steps += outcome.tracked.steps;
  }
  return {};
}

sim::Terrain LowStairs(const robot::TerrainSpec& spec, const RngStream& stream) {
  sim::TerrainOptions options;
  options.columns = {sim::TileKind::kStairs};
  options.difficulty = ScaleCost::kDifficulty;
  return sim::MakeTerrain(options, spec, stream);
}

}  // namespace

Result<WalkEvaluation> Evaluate(const robot::RobotSpec& spec,
                                std::shared_ptr<const robot::Policy> policy,
                                const EvaluationOptions& options) {
  const std::vector<Case> cases = ListCases(spec, options);
  WalkEvaluation evaluation;
  Counted counted;
  for (int s = 0; s < options.terrain_seeds; ++s) {
    const RngStream stream = RngStream(options.first_seed + s).Child("evaluate");
    std::shared_ptr<const sim::World> world =
        GONOGO_TRY(sim::World::Create(spec, MakeGround(spec, options, stream.Child("terrain"))));
    const sim::ClosedLoop fits = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
    std::vector<Outcome> outcomes(cases.size());
    ParallelFor(options.jobs, cases.size(), [&](std::size_t i) {
      outcomes[i] =
          RunCase(options, cases[i], stream, sim::ClosedLoop::Create(world, policy).value());
    });
    GONOGO_TRY(AddOutcomes(cases, outcomes, counted, evaluation));
  }
  evaluation.velocity_error /= std::max(counted.steps, 1);
  evaluation.yaw_error /= std::max(counted.steps, 1);
  evaluation.stand_power_w /= std::max(counted.standing, 1) * spec.control_dt_s();
  return evaluation;
}

Result<ScaleCost> CompareScales(const robot::RobotSpec& spec,
                                const std::shared_ptr<const robot::Policy>& policy,
                                const EvaluationOptions& options) {
  if (spec.task.targets.empty()) return InputError("{}: has no targets", spec.file.string());
  const auto harder = spec.task.targets.find("harder");
  const std::vector<robot::Point2>& targets =
      harder != spec.task.targets.end() ? harder->second : spec.task.targets.begin()->second;
  const std::size_t episodes = targets.size() * static_cast<std::size_t>(options.trials);
  ScaleCost cost;
  for (int s = 0; s < options.terrain_seeds; ++s) {
    const RngStream stream = RngStream(options.first_seed + s).Child("scale cost");
    const std::shared_ptr<const sim::World> world =
        GONOGO_TRY(sim::World::Create(spec, LowStairs(spec.terrain, stream.Child("terrain"))));
    const sim::ClosedLoop fits = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
    std::vector<Result<sim::EpisodeResult>> runs(2 * episodes, sim::EpisodeResult{});
    ParallelFor(options.jobs, runs.size(), [&](std::size_t i) {
      const double scale = i < episodes ? 1.0 : ScaleCost::kScale;
      sim::ClosedLoop loop = sim::ClosedLoop::Create(world, policy).value();
      runs[i] = sim::RunToTarget(
          loop, sim::DrawStart(*world, stream.Child(i % episodes)), targets[i % targets.size()],
          [scale](const sim::Percept& percept) { return scale * percept.direct; });
    });
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!runs[i].ok()) return runs[i].error();
      (i < episodes ? cost.cot_full : cost.cot_scaled) += runs[i].value().cot;
    }
    cost.episodes += static_cast<int>(episodes);
  }
  cost.cot_full /= std::max(cost.episodes, 1);
  cost.cot_scaled /= std::max(cost.episodes, 1);
  return cost;
}

}  // namespace gonogo::train
