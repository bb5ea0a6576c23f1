// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/format.h>

#include "gonogo/cli/terminal/status_file.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/build_info.h"
#include "gonogo/paper/sections/frozen_policy.h"
#include "gonogo/report/page/section_text.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/world/world.h"
#include "gonogo/train/evaluate.h"
#include "gonogo/train/trainer.h"
#include "gonogo/train/walk/expert.h"

namespace gonogo::cli {
namespace {

constexpr const char* kTrainExamples = R"(
Examples:
  gonogo train robots/go2 --score --seeds 1 --trials 1     how the shipped policy walks, in seconds
  gonogo train robots/go2                      train, or go on with a run that was interrupted
  gonogo train robots/go2 --out runs/mine --iterations 100
  gonogo train robots/go2 --score --ground grid
  gonogo train robots/go2 --score              how the shipped policy walks, beside the walk it began as

The recipe is train.toml beside robot.toml. Training writes OUT/checkpoint.bin and, when done or interrupted, OUT/policy.onnx.
Resuming gives the same bytes as never having stopped. The return is the reward of an episode.
)";

std::string ProgressText(const train::TrainProgress& at) {
  if (at.cloning) {
    return fmt::format("imitation, round {} of {}: error {:.4f}", at.iteration, at.iterations,
                       at.clone_loss);
  }
  return fmt::format(
      "iteration {} of {}, {:.2f} M steps: return {:.1f}, velocity error {:.3f} m/s, {:.0f} % of "
      "episodes end in a fall; exploration {:.3f}, KL {:.4f}, learning rate {:.1e}; {:.0f} steps/s",
      at.iteration, at.iterations, static_cast<double>(at.samples) * 1e-6, at.mean_return,
      at.tracking_error, 100.0 * at.fall_share, at.std, at.kl, at.learning_rate, at.steps_per_s);
}

/// Says how training gets on, here and in its folder for `gonogo watch`.
class TrainingNews {
 public:
  TrainingNews(const Terminal& terminal, std::filesystem::path folder)
      : terminal_(terminal), status_(std::move(folder)) {}

  void Tell(const train::TrainProgress& at) {
    terminal_.Say(ProgressText(at));
    const auto done = static_cast<std::size_t>(at.iteration);
    const auto total = static_cast<std::size_t>(at.iterations);
    RunStatus status{.phase = at.cloning ? "rounds of imitation" : "iterations of training",
                     .done = done,
                     .total = total};
    if (at.steps_per_s > 0.0 && at.iteration > 0 && !at.cloning) {
      const double steps_each = static_cast<double>(at.samples) / at.iteration;
      status.seconds_left = steps_each * static_cast<double>(total - done) / at.steps_per_s;
    }
    status_.Write(status);
  }

 private:
  const Terminal& terminal_;
  StatusFile status_;
};

nlohmann::json ToJson(const train::WalkEvaluation& evaluation, const train::ScaleCost& scale) {
  nlohmann::json json = {
      {"velocity_error_m_s", evaluation.velocity_error},
      {"yaw_error_rad_s", evaluation.yaw_error},
      {"episodes", evaluation.episodes},
      {"survival", evaluation.survival()},
      {"stand_power_w", evaluation.stand_power_w},
      {"stand_survival", evaluation.stands > 0 ? 1.0 * evaluation.stood / evaluation.stands : 0.0}};
  for (const auto& [family, score] : evaluation.targets) {
    json["targets"][family] = {
        {"episodes", score.episodes}, {"success", score.rate()}, {"cot", score.cot()}};
  }
  json["scale_cost"] = {
      {"scale", train::ScaleCost::kScale}, {"difficulty", train::ScaleCost::kDifficulty},
      {"episodes", scale.episodes},        {"cot_full", scale.cot_full},
      {"cot_scaled", scale.cot_scaled},    {"ratio", scale.ratio()}};
  return json;
}

using Walkers = std::vector<std::pair<std::string, std::shared_ptr<const robot::Policy>>>;

/// The walk the recipe starts from, with this robot's weight.
Result<std::shared_ptr<const robot::Policy>> MakeStart(const robot::RobotSpec& spec,
                                                       const train::Recipe& recipe) {
  const std::shared_ptr<const sim::World> world =
      GONOGO_TRY(sim::World::Create(spec, sim::FlatTerrain()));
  return train::MakeExpert(spec, recipe, world->mass_kg());
}

const std::map<std::string, train::EvaluationOptions::Ground> kGrounds{
    {"flat", train::EvaluationOptions::Ground::kFlat},
    {"rough", train::EvaluationOptions::Ground::kRough},
    {"grid", train::EvaluationOptions::Ground::kGrid}};

class TrainVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb("train", "Train a walking policy for a robot that has none",
                                     kTrainExamples);
    verb.Positional("robot", robot_,
                    "The folder of the robot, which holds robot.toml and train.toml")
        .Required();
    verb.Option("--out", out_, "Folder for the training [runs/train-ROBOT]");
    verb.Option("--from", from_, "Start from the networks of this checkpoint instead of imitating")
        .Rare();
    verb.Option(
            "--iterations", iterations_,
            "Stop after so many more iterations; the same command goes on later. 0 only writes the "
            "policy of the last checkpoint")
        .Between(0, 1'000'000);
    verb.Flag("--score", score_,
              "Do not train: try the shipped policy, and the walk that train.toml begins with, on "
              "held-out ground");
    verb.Option("--seeds", options_.terrain_seeds, "Held-out terrain seeds of --score")
        .Between(1, 10000)
        .ShowDefault();
    verb.Option("--first-seed", options_.first_seed, "First held-out terrain seed of --score")
        .ShowDefault()
        .Rare();
    verb.Option("--trials", options_.trials, "Episodes per seed and target of --score")
        .Between(1, 1000)
        .ShowDefault()
        .Rare();
    verb.Option("--policy", policy_, "Another ONNX file of this robot to --score, by itself")
        .Rare();
    verb.Option("--ground", ground_, "Ground of --score")
        .OneOf({"flat", "grid", "rough"})
        .ShowDefault()
        .Rare();
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return !score_; }

  Result<ExitCode> Run(const Context& context) override {
    const robot::RobotSpec spec = GONOGO_TRY(robot::LoadRobotSpec(robot_));
    const std::filesystem::path file = spec.file.parent_path() / "train.toml";
    // A policy that was trained elsewhere has no recipe, but can be tried all the same.
    if (score_ && !std::filesystem::exists(file)) return Score(spec, nullptr, context);
    const train::Recipe recipe = GONOGO_TRY(train::LoadRecipe(file, spec));
    return score_ ? Score(spec, &recipe, context) : Train(spec, recipe, context);
  }

 private:
  Result<ExitCode> Train(const robot::RobotSpec& spec, const train::Recipe& recipe,
                         const Context& context) const {
    train::TrainOptions options;
    options.out = out_.empty() ? std::filesystem::path("runs") / ("train-" + spec.name) : out_;
    options.start_from = from_;
    options.jobs = context.options.jobs;
    options.max_iterations = iterations_;
    options.stop = context.stop;
    options.ranks = context.exchange;
    TrainingNews news(context.terminal, options.out);
    options.on_progress = [&](const train::TrainProgress& at) { news.Tell(at); };
    const train::TrainResult trained =
        GONOGO_TRY(train::Train(train::WalkingProblem(spec, recipe), recipe, options));
    const std::filesystem::path file = options.out / "policy.onnx";
    const train::PolicyOrigin origin = {recipe.fingerprint, trained.iteration, trained.samples};
    GONOGO_TRY(train::ExportPolicy(file, trained.networks, spec, origin));
    context.terminal.Print(fmt::format("{} after {} iterations, {} samples: {}\n",
                                       trained.complete ? "done" : "stopped", trained.iteration,
                                       trained.samples, file.string()));
    return context.stop.stop_requested() ? kExitInterrupted : kExitDone;
  }

  /// What --score tries: the policy, and the walk that the recipe begins with unless the policy was
  /// named.
  [[nodiscard]] Result<Walkers> FindWalkers(const robot::RobotSpec& spec,
                                            const train::Recipe* recipe) const {
    Walkers walkers;
    robot::RobotSpec with = spec;
    if (!policy_.empty()) with.policy = policy_;
    // Before the first training there is only the walking start to look at.
    if (!policy_.empty() || recipe == nullptr || std::filesystem::exists(spec.policy)) {
      const std::shared_ptr<const robot::Policy> policy = GONOGO_TRY(sim::OnnxPolicy::Load(with));
      walkers.emplace_back("learned", policy);
    }
    if (policy_.empty() && recipe != nullptr) {
      const std::shared_ptr<const robot::Policy> start = GONOGO_TRY(MakeStart(spec, *recipe));
      walkers.emplace_back(recipe->is_biped() ? "walk" : "trot", start);
    }
    return walkers;
  }

  Result<ExitCode> Score(const robot::RobotSpec& spec, const train::Recipe* recipe,
                         const Context& context) {
    options_.ground = kGrounds.at(ground_);
    const Walkers walkers = GONOGO_TRY(FindWalkers(spec, recipe));
    std::vector<paper::PolicyScore> scores;
    nlohmann::json json = {{"schema", "gonogo.score/1"},
                           {"robot", spec.name},
                           {"ground", ground_},
                           {"terrain_seeds", options_.terrain_seeds},
                           {"build", io::CurrentBuild()}};
    for (const auto& [name, walker] : walkers) {
      context.terminal.Say(
          fmt::format("trying the {} policy on {} terrain seeds", name, options_.terrain_seeds));
      train::EvaluationOptions options = options_;
      options.jobs = context.options.jobs;
      const train::WalkEvaluation tried = GONOGO_TRY(train::Evaluate(spec, walker, options));
      const train::ScaleCost scale = GONOGO_TRY(train::CompareScales(spec, walker, options));
      scores.push_back({name, tried, scale});
      json["policies"][name] = ToJson(tried, scale);
    }
    const report::Section section = paper::FrozenPolicySection(spec.name, scores, options_);
    context.terminal.Print(context.options.json
                               ? json.dump(2) + "\n"
                               : report::SectionText(section, context.terminal.width()));
    return kExitDone;
  }

  std::string robot_;
  std::filesystem::path out_;
  std::filesystem::path from_;
  std::filesystem::path policy_;
  int iterations_ = -1;
  bool score_ = false;
  std::string ground_ = "rough";
  train::EvaluationOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeTrainVerb() { return std::make_unique<TrainVerb>(); }

}  // namespace gonogo::cli
