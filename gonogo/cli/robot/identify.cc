// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/identify.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/paper/sections/response_model.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::cli {
namespace {

constexpr const char* kIdentifyExamples = R"(
Examples:
  gonogo identify robots/go2 --envs 8 --steps 400 --epochs 5 --no-planner --no-contrasts     a taste, in seconds
  gonogo identify robots/go2                                  everything; minutes
  gonogo identify robots/go2 --terrain stairs:0-5 --out runs/go2-stairs
  gonogo identify robots/go2 --json --out runs/go2 > identification.json

Writes into OUT: excitation.h5 (docs/reference/identification-data.md), the models as .onnx + .json (docs/reference/models.md),
identification.json and report.html. The same command resumes an interrupted one: finished environments and models are kept.
)";

report::Page MakePage(const study::IdentifyResult& result,
                      const std::vector<report::Section>& parts, const nlohmann::json& json) {
  const nlohmann::json& from = json.at("provenance");
  return {.title = "What each command would do: " + result.robot,
          .kicker = "gonogo identify",
          .subtitle = fmt::format("{} ground, {} states of {} episodes", result.terrain,
                                  result.states, result.episodes),
          .sections = parts,
          .attachment = report::Attachment{"identification.json", json},
          .footer = {fmt::format("policy SHA-256 {}", from.at("policy_sha256").get<std::string>()),
                     fmt::format("build {}", from.at("build").dump())}};
}

class IdentifyVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("identify", "Learn from experiments what each command of a robot would do",
                        kIdentifyExamples);
    verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
    verb.Option("--out", out_, "Folder for the models [runs/identify-ROBOT]");
    surroundings_.Add(verb);
    verb.Option("--seed", options_.seed, "Seed of everything that is drawn at random")
        .ShowDefault();
    ExcitationFlags(verb);
    verb.Option("--window", options_.window_steps, "Control steps that one prediction spans")
        .Between(1, kMost)
        .ShowDefault()
        .Rare();
    verb.Option("--epochs", options_.response_fit.epochs,
                "Passes over the data in training the response models")
        .Between(1, kMost)
        .ShowDefault();
    verb.Option("--macro-epochs", options_.macro.fit.epochs,
                "Passes over the data in training the models of whole manoeuvres")
        .Between(1, kMost)
        .ShowDefault()
        .Rare();
    verb.Option("--value-episodes", options_.value_data.episodes,
                "Episodes to learn the remaining cost from")
        .Between(8, kMost)
        .ShowDefault()
        .Rare();
    verb.OffFlag("--value-direct-only", options_.value_data.every_decision,
                 "Let only decisions under direct control be samples of the task-value network")
        .Rare();
    verb.Option("--work-rate", work_rate_,
                "How often torque and speed are read: physics (every step) or control (once per "
                "control step)")
        .ShowDefault()
        .Rare();
    verb.OffFlag("--no-contrasts", options_.contrasts,
                 "Leave out the models trained for comparison only")
        .Rare();
    verb.OffFlag("--no-planner", options_.planner,
                 "Leave out the models that only the planner (mpc) needs");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    options_.work_rate = GONOGO_TRY(sim::ParseWorkRate(work_rate_));
    options_.excitation.seed = options_.seed;
    options_.value_data.seed = options_.seed;
    const study::Surroundings surroundings = GONOGO_TRY(surroundings_.Read(options_.seed));
    options_.excitation.terrain_seed = surroundings.seed.common;
    const study::Scene anywhere = GONOGO_TRY(study::OpenScene(robot_, surroundings));
    const study::Scene scene = GONOGO_TRY(study::SceneOf(anywhere, options_.seed));
    const std::filesystem::path folder =
        out_.empty() ? study::ModelsFolder(scene.robot.name) : std::filesystem::path(out_);
    std::optional<Progress> progress;
    const auto stage = [&](std::string_view name) {
      progress.emplace(context.terminal, std::string(name), folder);
      return progress->Callback();
    };
    const Result<study::IdentifyResult> result =
        study::Identify(scene, options_, folder, context.With({}), stage);
    progress.reset();
    if (!result.ok()) return result.error();
    return Report(context, scene, folder, result.value());
  }

 private:
  void ExcitationFlags(Arguments verb) {
    verb.Option("--envs", options_.excitation.envs,
                "Robots that are given random commands, each on its own")
        .Between(1, kMost)
        .ShowDefault();
    verb.Option("--steps", options_.excitation.steps, "Control steps of each of them")
        .Between(1, kMost)
        .ShowDefault();
    verb.Option("--hold", options_.excitation.hold, "Control steps for which a command is held")
        .Between(1, kMost)
        .ShowDefault()
        .Rare();
  }

  static Result<ExitCode> Report(const Context& context, const study::Scene& scene,
                                 const std::filesystem::path& folder,
                                 const study::IdentifyResult& result) {
    nlohmann::json json = result;
    json["schema"] = "gonogo.identification/1";
    json["complete"] = true;
    json["provenance"] = {{"policy_sha256", scene.sha256.policy}, {"build", io::CurrentBuild()}};
    std::vector<report::Section> parts{paper::ResponseModelSection(result)};
    if (result.macro && result.value) parts.push_back(paper::PlannerModelSection(result));
    Status written = io::WriteFile(folder / "identification.json", json.dump(1) + "\n");
    if (written.ok()) {
      written = io::WriteFile(folder / "report.html", RenderPage(MakePage(result, parts, json)));
    }
    if (!written.ok()) return written.error();
    if (context.options.json) {
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    for (const report::Section& part : parts) {
      context.terminal.Print(report::SectionText(part, context.terminal.width()) + "\n");
    }
    context.terminal.Print("Written to " + folder.string() + "\n");
    return kExitDone;
  }

  static constexpr int kMost = 1'000'000;  // of anything that is counted

  std::string robot_;
  std::string out_;
  SurroundingsFlags surroundings_{"grid"};
  std::string work_rate_ = "physics";
  study::IdentifyOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeIdentifyVerb() { return std::make_unique<IdentifyVerb>(); }

}  // namespace gonogo::cli
