// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/robot/evaluation_report.h"
#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/cli/verbs/components.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/paper/evaluation_studies.h"
#include "gonogo/paper/sections/comparison.h"

namespace gonogo::cli {
namespace {

constexpr const char* kEvaluateExamples = R"(
Examples:
  gonogo evaluate robots/go2 --seeds 1 --trials 1            a quick comparison, in seconds
  gonogo evaluate robots/go2 --study frontier                 a comparison of the paper, at its sample size
  gonogo evaluate robots/go2 robots/anymal_d robots/h1 --study coverage
  gonogo evaluate robots/go2 --methods direct,scale-0.90,vgcc --seeds 901,902 --trials 2 --set vgcc.gain=0.3
  gonogo evaluate robots/go2 --methods direct,adapter:adapters/go2 --terrain-seed each
  gonogo evaluate robots/go2 --study ablation --models runs/identify-go2 --json
  gonogo evaluate robots/go2 --terrain stairs:0-1 --terrain-seed each    low stairs, another ground for every seed

Studies: {}.
Controllers: {} (any factor after "scale-") and
adapter:FOLDER, what 'gonogo audit --export FOLDER' wrote (--set adapter.hold=4: kept for four decisions).

Every method starts every episode from the same state; the first one is the reference of the differences. Writes report.html,
tables.md, episodes.csv, evaluation.json and, when a controller rescued itself, rescue.html (3-D) into OUT, those of a study into
OUT/STUDY. Finished episodes are kept in OUT: the same command goes on after an interruption, and studies share their episodes.
)";

std::string EvaluateExamples() {
  std::vector<std::string> studies;
  if constexpr (kHasPaper) {
    for (const paper::EvaluationStudy& study : paper::EvaluationStudies()) {
      studies.push_back(fmt::format("{} ({})", study.name, study.summary));
    }
  } else {
    studies.emplace_back("none in this build, which was made without the paper");
  }
  return fmt::format(kEvaluateExamples, fmt::join(studies, ", "),
                     fmt::join(study::MethodNames(), ", "));
}

class EvaluateVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "evaluate", "Compare controllers of a robot from identical starts", EvaluateExamples());
    verb.Positional("robots", robots_, "The folders of the robots, each with robot.toml")
        .Required();
    verb.Option("--study", study_, "A comparison of the paper, by its name below");
    verb.Option("--methods", methods_,
                "The controllers to compare; the first is the one that the others are compared "
                "with [direct,scale-0.90,scale-0.75,governor]")
        .Commas();
    verb.Option("--seeds", plan_.seeds, "Seeds of the starts [1,2,3]").Commas();
    trials_ = verb.Option("--trials", plan_.trials, "How many starts for each seed and target")
                  .ShowDefault();
    family_ = verb.Option("--family", plan_.family, "Which family of targets of robot.toml")
                  .ShowDefault();
    surroundings_.Add(verb);
    verb.Option("--work-rate", work_rate_,
                "How often work, power and effort in tables are read: physics (every physics step) "
                "or control (once per control step); episodes.csv has both")
        .ShowDefault()
        .Rare();
    verb.Option("--models", models_,
                "The folder that 'gonogo identify' wrote, one for each robot [runs/identify-ROBOT]")
        .Rare();
    verb.Option("--set", settings_, "A setting of a controller, such as vgcc.gain=0.3");
    verb.Option("--out", out_, "Folder for the results [runs/evaluate-ROBOT]");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    const sim::WorkRate rate = GONOGO_TRY(sim::ParseWorkRate(work_rate_));
    const paper::EvaluationStudy study = GONOGO_TRY(ChooseStudy());
    const std::vector<study::EvaluationScene> scenes = GONOGO_TRY(OpenScenes());
    const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(out_));
    const std::vector<study::EvaluationBlock> blocks = study.blocks(scenes.size());
    std::optional<Progress> progress(std::in_place, context.terminal, "episodes", out_);
    Result<std::vector<study::Evaluation>> evaluations =
        study::RunBlocks(scenes, blocks, settings_, out_, context.With(progress->Callback()));
    progress.reset();
    if (!evaluations.ok()) return evaluations.error();
    for (study::Evaluation& evaluation : evaluations.value()) {
      evaluation = study::AtRate(std::move(evaluation), rate);
    }
    const EvaluationReport report{.study = study_,
                                  .terrain = surroundings_.terrain(),
                                  .terrain_seed = surroundings_.seed(),
                                  .conditions = surroundings_.conditions(),
                                  .work_rate = rate,
                                  .settings = settings_,
                                  .folder = study_.empty() ? out_ : out_ / study_,
                                  .width = context.terminal.width()};
    const EvaluationText text =
        GONOGO_TRY(report.Write(scenes, evaluations.value(), study.present(evaluations.value())));
    context.terminal.Print(context.options.json ? text.json : text.tables);
    context.terminal.Say("report.html, tables.md, episodes.csv, evaluation.json: " +
                         report.folder.string());
    return kExitDone;
  }

 private:
  /// The named study with what the user changed, or one made of the flags.
  Result<paper::EvaluationStudy> ChooseStudy() const {
    paper::EvaluationStudy study;
    if (study_.empty()) {
      study::EvaluationBlock block{.plan = plan_,
                                   .methods = {"direct", "scale-0.90", "scale-0.75", "governor"}};
      if (!methods_.empty()) block.methods = methods_;
      if (plan_.seeds.empty()) block.plan.seeds = {1, 2, 3};
      study.blocks = [block](std::size_t) { return std::vector{block}; };
      study.present = [](auto evaluations) {
        return std::vector{paper::OverviewSection(evaluations.front())};
      };
    } else {
      paper::EvaluationStudy found = GONOGO_TRY(FindStudy());
      if (!methods_.empty() || family_->given()) {
        return UsageError(
            "--study {} says which methods and targets it compares; leave out "
            "--methods and --family",
            study_);
      }
      study = std::move(found);
    }
    if (robots_.size() > 1 && !study.many_robots) {
      return UsageError(
          "{} robots: only studies over several robots take more than one, such as "
          "--study coverage",
          robots_.size());
    }
    study.blocks = [this, all = study.blocks](std::size_t robots) {
      std::vector<study::EvaluationBlock> blocks = all(robots);
      for (study::EvaluationBlock& block : blocks) {
        if (!plan_.seeds.empty()) block.plan.seeds = plan_.seeds;
        if (trials_->given()) block.plan.trials = plan_.trials;
      }
      return blocks;
    };
    return study;
  }

  [[nodiscard]] Result<paper::EvaluationStudy> FindStudy() const {
    if constexpr (kHasPaper) return paper::FindEvaluationStudy(study_);
    return UsageError("{}", NotBuilt("--study", Component::kPaper));
  }

  Result<std::vector<study::EvaluationScene>> OpenScenes() {
    if (!models_.empty() && models_.size() != robots_.size()) {
      return UsageError("--models: {} folders for {} robots, expected one each", models_.size(),
                        robots_.size());
    }
    const study::Surroundings surroundings = GONOGO_TRY(surroundings_.Read());
    std::vector<study::EvaluationScene> scenes;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      study::Scene scene = GONOGO_TRY(study::OpenScene(robots_[i], surroundings));
      const std::string& name = scene.robot.name;
      std::filesystem::path models = study::ModelsFolder(scene.robot.name);
      if (!models_.empty()) models = models_[i];
      if (out_.empty()) out_ = std::filesystem::path("runs") / ("evaluate-" + name);
      scenes.push_back({std::move(scene), std::move(models)});
    }
    return scenes;
  }

  std::vector<std::string> robots_;
  std::string study_;
  std::vector<std::string> methods_;
  std::vector<std::string> settings_;
  SurroundingsFlags surroundings_{"grid", "1"};
  std::string work_rate_ = "physics";
  std::vector<std::filesystem::path> models_;
  std::filesystem::path out_;
  std::optional<Argument> trials_;
  std::optional<Argument> family_;
  study::EvaluationPlan plan_;
};

}  // namespace

std::unique_ptr<Verb> MakeEvaluateVerb() { return std::make_unique<EvaluateVerb>(); }

}  // namespace gonogo::cli
