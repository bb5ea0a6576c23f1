// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/train/ppo/checkpoint.h"
#include "gonogo/train/ppo/symmetry.h"
#include "gonogo/train/walk/expert.h"
#include "gonogo/train/walk/walk_env.h"

namespace gonogo::train {
namespace {

constexpr int kReportEvery = 5;  // iterations

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Sums of outcomes since the last progress line.
class Tally {
 public:
  void Add(const Rollout& rollout) {
    for (const StepOutcome& outcome : rollout.outcomes) {
      reward_ += outcome.reward;
      error_ += outcome.tracking_error;
      falls_ += outcome.terminated ? 1.0 : 0.0;
      ends_ += outcome.terminated || outcome.timed_out ? 1.0 : 0.0;
    }
    steps_ += static_cast<double>(rollout.size());
  }

  /// Fills the means and starts afresh.
  void Flush(TrainProgress& progress) {
    const double now = Now();
    const double episodes = std::max(ends_, 1.0);
    progress.reward_per_step = reward_ / steps_;
    progress.mean_return = reward_ / episodes;
    progress.tracking_error = error_ / steps_;
    progress.episode_length = steps_ / episodes;
    progress.fall_share = falls_ / episodes;
    progress.steps_per_s = steps_ / std::max(now - since_, 1e-9);
    *this = Tally();
  }

 private:
  double since_ = Now();
  double steps_ = 0.0;
  double reward_ = 0.0;
  double error_ = 0.0;
  double falls_ = 0.0;
  double ends_ = 0.0;
};

class Run {
 public:
  Run(const Problem& problem, const Recipe& recipe, const TrainOptions& options)
      : problem_(problem),
        recipe_(recipe),
        options_(options),
        crew_(options.jobs, options.ranks),
        stream_(recipe.seed),
        file_(options.out / "checkpoint.bin"),
        learner_(recipe.ppo,
                 MakeActorCritic(recipe.network, problem.input_scale, problem.action_dim,
                                 stream_.Child("networks"), problem.input_centre),
                 problem.symmetry) {
    for (const Stage& stage : recipe.stages) total_ += stage.iterations;
  }

  Result<TrainResult> Execute() {
    GONOGO_TRY(Begin());
    Rollout rollout(recipe_.environments, recipe_.steps, learner_.networks().observation_dim(),
                    learner_.networks().action_dim());
    while (imitated_ && iteration_ < total_) {
      if (AtBoundary()) {
        GONOGO_TRY(StartBlock());
      }
      if (Stopped()) break;  // what came after the last checkpoint will be done again
      Iterate(rollout);
      GONOGO_TRY(crew_.status());
    }
    if (iteration_ == total_) {
      GONOGO_TRY(Save());
    }
    return TrainResult{learner_.Shipped(), iteration_, samples_, iteration_ == total_};
  }

 private:
  [[nodiscard]] bool Stopped() const {
    return crew_.Any(options_.stop.stop_requested()) ||
           (options_.max_iterations >= 0 && iteration_ - first_ >= options_.max_iterations);
  }

  // The stage of the present iteration and the iterations before it.
  [[nodiscard]] std::pair<std::size_t, int> FindStage() const {
    int before = 0;
    for (std::size_t s = 0; s < recipe_.stages.size(); ++s) {
      if (iteration_ < before + recipe_.stages[s].iterations) return {s, before};
      before += recipe_.stages[s].iterations;
    }
    return {recipe_.stages.size() - 1, before};
  }

  // Environments start afresh, and a checkpoint is due, every so many iterations of a stage.
  [[nodiscard]] bool AtBoundary() const {
    return environments_.empty() ||
           (iteration_ - FindStage().second) % recipe_.checkpoint_every == 0;
  }

  Status Begin() {
    // Else a second training that is behind would put its checkpoint over a later one.
    claim_ = GONOGO_TRY(io::FolderClaim::Take(options_.out));
    GONOGO_TRY(io::OpenRunFolder(options_.out));
    GONOGO_TRY(CheckAgreement());
    const std::string kept = GONOGO_TRY(KeptCheckpoint());
    if (!kept.empty()) return Resume(kept);
    if (!options_.start_from.empty()) {
      Checkpoint start = GONOGO_TRY(LoadCheckpoint(options_.start_from));
      if (!Restore(start)) {
        return InputError("{}: its networks have another shape than the recipe's",
                          options_.start_from.string());
      }
      return {};
    }
    return Clone();
  }

  /// Whether the checkpoint fits; if so, learning goes on from it.
  bool Restore(Checkpoint& checkpoint) {
    PpoLearner::State& state = checkpoint.learner;
    if (state.input_scale.empty()) {
      state.input_scale =
          problem_.usual_scale.empty() ? problem_.input_scale : problem_.usual_scale;
      state.input_centre.assign(state.input_scale.size(), 0.0F);
    }
    return learner_.Restore(state);
  }

  /// All ranks train the same.
  Status CheckAgreement() {
    const std::string theirs = crew_.FromFirst("recipe", problem_.fingerprint);
    GONOGO_TRY(crew_.status());
    if (theirs == problem_.fingerprint) return {};
    return InputError("rank {} has another robot, recipe or version than rank 0: {} there, {} here",
                      options_.ranks->rank(), io::Sha256Hex(problem_.fingerprint),
                      io::Sha256Hex(theirs));
  }

  /// The bytes of the checkpoint of an earlier run that rank 0 found; empty if there is none.
  Result<std::string> KeptCheckpoint() {
    std::string bytes;
    const bool first = options_.ranks == nullptr || options_.ranks->rank() == 0;
    if (first && std::filesystem::exists(file_)) bytes = GONOGO_TRY(io::ReadFile(file_));
    bytes = crew_.FromFirst("checkpoint", std::move(bytes));
    GONOGO_TRY(crew_.status());
    return bytes;
  }

  Status Resume(const std::string& kept) {
    Checkpoint checkpoint = GONOGO_TRY(ParseCheckpoint(kept, file_));
    if (checkpoint.fingerprint != problem_.fingerprint || !Restore(checkpoint)) {
      return InputError(
          "{}: belongs to another robot, recipe or version; give another --out or remove it",
          file_.string());
    }
    iteration_ = first_ = static_cast<int>(checkpoint.iteration);
    samples_ = checkpoint.samples;
    return {};
  }

  Status Clone() {
    if (recipe_.clone.rounds == 0) return {};
    GONOGO_TRY(MakeEnvironments(0));
    ActorCritic& networks = learner_.networks();
    const std::vector<float> explore = networks.log_std;
    networks.log_std.assign(explore.size(), static_cast<float>(std::log(recipe_.clone.std)));
    CloneExpert(recipe_.clone, stream_.Child("clone"), crew_, environments_, networks,
                [this](const CloneReport& report) {
                  samples_ += recipe_.clone.steps * static_cast<std::int64_t>(environments_.size());
                  TrainProgress line;
                  line.cloning = true;
                  line.iteration = report.round + 1;
                  line.iterations = recipe_.clone.rounds;
                  line.samples = samples_;
                  line.clone_loss = report.loss;
                  line.tracking_error = report.tracking_error;
                  line.fall_share = report.fall_rate;
                  if (options_.on_progress) options_.on_progress(line);
                  imitated_ = line.iteration == line.iterations ||
                              !crew_.Any(options_.stop.stop_requested());
                  return imitated_;
                });
    networks.log_std = explore;
    environments_.clear();
    return {};
  }

  Status MakeEnvironments(std::size_t stage) {
    environments_ = GONOGO_TRY(problem_.environments(
        recipe_.stages[stage], stream_.Child("stage").Child(stage).Child("environments")));
    GONOGO_CHECK(static_cast<int>(environments_.size()) == recipe_.environments);
    return {};
  }

  Status StartBlock() {
    const auto [stage, before] = FindStage();
    if (environments_.empty() || iteration_ == before) {
      GONOGO_TRY(MakeEnvironments(stage));
    }
    learner_.Configure(recipe_.stages[stage].ppo.value_or(recipe_.ppo));
    for (const std::unique_ptr<Environment>& environment : environments_) {
      environment->Restart(iteration_);
    }
    return Save();
  }

  Status Save() {
    return SaveCheckpoint(file_, {.fingerprint = problem_.fingerprint,
                                  .iteration = iteration_,
                                  .samples = samples_,
                                  .learner = learner_.Save()});
  }

  void Iterate(Rollout& rollout) {
    const RngStream stream = stream_.Child("iteration").Child(iteration_);
    Collect(learner_.networks(), Behaviour::kExplore, stream.Child("noise"), crew_, environments_,
            rollout);
    const PpoReport report =
        learner_.Update(rollout, iteration_ < recipe_.critic_warm_up, stream.Child("order"), crew_);
    ++iteration_;
    samples_ += static_cast<std::int64_t>(rollout.size());
    tally_.Add(rollout);
    if (iteration_ % kReportEvery == 0 && options_.on_progress) Report(report);
  }

  void Report(const PpoReport& report) {
    TrainProgress line;
    line.iteration = iteration_;
    line.iterations = total_;
    line.samples = samples_;
    line.kl = report.kl;
    line.learning_rate = learner_.learning_rate();
    for (const float value : learner_.networks().log_std) line.std += std::exp(value);
    line.std /= static_cast<double>(learner_.networks().log_std.size());
    tally_.Flush(line);
    options_.on_progress(line);
  }

  const Problem& problem_;
  const Recipe& recipe_;
  const TrainOptions& options_;
  TrainingRanks crew_;
  RngStream stream_;
  std::filesystem::path file_;
  io::FolderClaim claim_;
  PpoLearner learner_;
  Environments environments_;
  Tally tally_;
  int iteration_ = 0;
  bool imitated_ = true;  // a start that was cut short is no start: the next call imitates again
  int first_ = 0;         // where this call began
  int total_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace

Result<TrainResult> Train(const Problem& problem, const Recipe& recipe,
                          const TrainOptions& options) {
  return Run(problem, recipe, options).Execute();
}

Status ExportPolicy(const std::filesystem::path& file, const ActorCritic& networks,
                    const robot::RobotSpec& spec, const PolicyOrigin& origin) {
  const nn::Mlp<float> actor = FoldedActor(networks);
  nn::OnnxNetwork network = nn::DescribeOnnx(actor);
  network.metadata = {{"robot", spec.name},
                      {"layout", robot::HashText(spec.LayoutHash())},
                      {"recipe_sha256", origin.recipe},
                      {"iteration", fmt::format("{}", origin.iteration)},
                      {"samples", fmt::format("{}", origin.samples)}};
  return nn::WriteOnnx(file, network);
}

Problem WalkingProblem(const robot::RobotSpec& spec, const Recipe& recipe) {
  Problem problem;
  problem.input_scale = InputScale(spec, recipe.network.scan_scale);
  problem.input_centre = InputCentre(spec, recipe.network.scan_centre);
  problem.usual_scale = InputScale(spec, NetworkConfig().scan_scale);
  problem.action_dim = spec.joint_count();
  if (recipe.mirror) problem.symmetry = recipe.symmetry;
  problem.fingerprint = recipe.fingerprint;
  problem.environments = [&spec, &recipe](const Stage& stage,
                                          const RngStream& stream) -> Result<Environments> {
    const std::vector<std::shared_ptr<const sim::World>> worlds =
        GONOGO_TRY(MakeWorlds(spec, stage, recipe.fast_ground, stream.Child("worlds")));
    const std::shared_ptr<const robot::Policy> expert =
        GONOGO_TRY(MakeExpert(spec, recipe, worlds.front()->mass_kg()));
    Environments environments;
    for (int e = 0; e < recipe.environments; ++e) {
      environments.push_back(std::make_unique<WalkEnv>(
          worlds[e % worlds.size()], recipe, stage.reward, expert, stream.Child("walk").Child(e)));
    }
    return environments;
  };
  return problem;
}

}  // namespace gonogo::train
