// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/evaluate.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "gonogo/base/parallel.h"
#include "gonogo/train/walk_env.h"

namespace gonogo::train {
namespace {

constexpr double kGravity = 9.81;
constexpr int kRoughTiles = 8;  // 64 m: nobody walks off the ground in an episode

// Sums over the control steps of one episode.
struct Tracked {
  double velocity_error = 0.0;
  double yaw_error = 0.0;
  int steps = 0;
  bool survived = false;
};

struct Case {
  const std::string* family = nullptr;  // null: a constant command
  robot::Point2 target;
  int index = 0;
};

struct Outcome {
  Tracked tracked;
  bool success = false;
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

class Episode {
 public:
  Episode(const robot::RobotSpec& spec, const EvaluationOptions& options, sim::Env& env,
          const Walker& walker)
      : spec_(spec), options_(options), env_(env), walker_(walker), action_(spec.joint_count()) {}

  Outcome FollowCommand(const robot::Command& command) {
    Outcome outcome;
    Tracked& tracked = outcome.tracked;
    const int steps = Steps(options_.episode_s);
    for (int t = 0; t < steps && Alive(env_) && !env_.step().left_terrain; ++t) {
      if (!Advance(command, outcome)) return outcome;
      if (t < Steps(options_.settle_s) || !Alive(env_)) continue;
      const robot::RobotState& state = env_.state();
      tracked.velocity_error +=
          std::hypot(command.vx - state.v_com_B[0], command.vy - state.v_com_B[1]);
      tracked.yaw_error += std::abs(command.wz - state.w_B[2]);
      ++tracked.steps;
    }
    tracked.survived = Alive(env_);
    return outcome;
  }

  Outcome ReachTarget(robot::Point2 target_S) {
    Outcome outcome;
    const double spawn_height = env_.state().p_W[2];
    const robot::Point2 target_W = robot::TargetInWorld(env_.state().pose(), target_S);
    robot::Command command;
    double distance = robot::Distance(env_.state().pose().p_W, target_W);
    const int steps = Steps(spec_.task.horizon_s);
    for (int t = 0; t < steps && Alive(env_) && distance >= spec_.task.tolerance_m; ++t) {
      if (t % spec_.task.decision_every == 0) {
        command = robot::DirectCommand(robot::GoalInBody(env_.state().pose(), target_W),
                                       spec_.direct, spec_.command_box);
      }
      if (!Advance(command, outcome)) return outcome;
      distance = robot::Distance(env_.state().pose().p_W, target_W);
    }
    outcome.success = Alive(env_) && distance < spec_.task.tolerance_m &&
                      env_.state().p_W[2] > spec_.task.height_fraction * spawn_height;
    return outcome;
  }

 private:
  [[nodiscard]] int Steps(double seconds) const {
    return static_cast<int>(std::lround(seconds / spec_.control_dt_s()));
  }

  bool Advance(const robot::Command& command, Outcome& outcome) {
    walker_(env_, command, action_);
    const Status stepped = env_.Step(action_);
    if (!stepped.ok()) outcome.error = stepped.error();
    return stepped.ok();
  }

  const robot::RobotSpec& spec_;
  const EvaluationOptions& options_;
  sim::Env& env_;
  const Walker& walker_;
  std::vector<float> action_;
};

std::vector<Case> ListCases(const robot::RobotSpec& spec, const EvaluationOptions& options) {
  std::vector<Case> cases;
  for (int i = 0; i < options.commands; ++i) cases.push_back({.index = i});
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

Outcome RunCase(const robot::RobotSpec& spec, const EvaluationOptions& options,
                const std::shared_ptr<const sim::World>& world, const Case& now,
                const RngStream& seed_stream, const WalkerFactory& walker_factory) {
  const RngStream stream =
      seed_stream.Child(now.family != nullptr ? *now.family : "command").Child(now.index);
  Rng rng = stream.Generator();
  sim::Env env(world);
  env.Reset(sim::DrawStart(*world, stream, PickOrigin(world->terrain(), options, rng)));
  const Walker walker = walker_factory();
  Episode episode(spec, options, env, walker);
  if (now.family != nullptr) return episode.ReachTarget(now.target);
  const robot::CommandBox& box = spec.command_box;
  return episode.FollowCommand({.vx = rng.Uniform(box.low.vx, box.high.vx),
                                .vy = rng.Uniform(box.low.vy, box.high.vy),
                                .wz = rng.Uniform(box.low.wz, box.high.wz)});
}

}  // namespace

WalkerFactory TrotWalker(const TrotConfig& trot) {
  return [&trot]() -> Walker {
    return [&trot](sim::Env& env, const robot::Command& command, std::span<float> action) {
      TrotConfig own = trot;
      own.weight_n = env.world().mass_kg() * kGravity;
      TrotAction(own, env.spec(), env.state(), command, action);
    };
  };
}

WalkerFactory PolicyWalker(const robot::Policy& policy) {
  return [&policy]() -> Walker {
    return [&policy, memory = policy.StartMemory()](sim::Env& env, const robot::Command& command,
                                                    std::span<float> action) mutable {
      policy.Act(env.Observe(command), action, memory);
    };
  };
}

WalkerFactory NetworkWalker(const nn::Mlp<float>& actor) {
  return [&actor]() -> Walker {
    return [&actor, scratch = nn::Mlp<float>::Scratch()](
               sim::Env& env, const robot::Command& command, std::span<float> action) mutable {
      const std::span<const float> seen = env.Observe(command);
      const Eigen::Map<const nn::Batch<float>> row(seen.data(), 1,
                                                   static_cast<Eigen::Index>(seen.size()));
      const auto mean = actor.Forward(row, scratch);
      std::copy_n(mean.data(), action.size(), action.begin());
    };
  };
}

Result<Evaluation> Evaluate(const robot::RobotSpec& spec, const WalkerFactory& walker,
                            const EvaluationOptions& options) {
  const std::vector<Case> cases = ListCases(spec, options);
  Evaluation evaluation;
  double steps = 0.0;
  for (int s = 0; s < options.terrain_seeds; ++s) {
    const RngStream stream = RngStream(options.first_seed + s).Child("evaluate");
    Result<std::shared_ptr<const sim::World>> world =
        sim::World::Create(spec, MakeGround(spec, options, stream.Child("terrain")));
    if (!world.ok()) return world.error();
    std::vector<Outcome> outcomes(cases.size());
    ParallelFor(options.jobs, cases.size(), [&](std::size_t i) {
      outcomes[i] = RunCase(spec, options, world.value(), cases[i], stream, walker);
    });
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Outcome& outcome = outcomes[i];
      if (outcome.error) return *outcome.error;
      if (cases[i].family != nullptr) {
        TargetScore& score = evaluation.targets[*cases[i].family];
        ++score.episodes;
        score.successes += outcome.success ? 1 : 0;
        continue;
      }
      ++evaluation.episodes;
      evaluation.survived += outcome.tracked.survived ? 1 : 0;
      evaluation.velocity_error += outcome.tracked.velocity_error;
      evaluation.yaw_error += outcome.tracked.yaw_error;
      steps += outcome.tracked.steps;
    }
  }
  evaluation.velocity_error /= std::max(steps, 1.0);
  evaluation.yaw_error /= std::max(steps, 1.0);
  return evaluation;
}

}  // namespace gonogo::train
