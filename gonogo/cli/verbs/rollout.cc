// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/cli/flags/surroundings_flags.h"
#include "gonogo/cli/text/episode_scene.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/study/episode.h"

namespace gonogo::cli {
namespace {

constexpr const char* kRolloutExamples = R"(
Examples:
  gonogo rollout robots/go2 --target 2,0
  gonogo rollout robots/go2 --target 0,1.25 --controller scale-0.75 --seed 7 --out slow.h5
  gonogo rollout robots/go2 --target 2,0 --controller vgcc --models runs/identify-go2 --set vgcc.gain=0.3
  gonogo rollout robots/go2 --target 1.5,1 --terrain flat --json
  gonogo rollout robots/go2 --target 2,0 --terrain stairs:0-5 --terrain-seed 1 --seed 7

Controllers: {} (any factor after "scale-"). The target is in metres from the start pose, x forward and y left. The same seed gives
the same ground and start for every controller. OUT is an HDF5 episode (docs/reference/formats.md).
)";

class RolloutVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "rollout", "Let a robot walk to a target once and write the episode to a file",
        fmt::format(kRolloutExamples, fmt::join(study::MethodNames(), ", ")));
    verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
    verb.Option("--target", target_,
                "Where to walk: X,Y in metres from the start, x forward and y to the left")
        .Commas()
        .Exactly(2)
        .Finite()
        .Required();
    verb.Option("--controller", controller_, "Who gives the commands; the names are below")
        .ShowDefault();
    verb.Option("--models", models_,
                "The folder that 'gonogo identify' wrote [runs/identify-ROBOT]");
    verb.Option("--set", settings_, "A setting of the controller, such as vgcc.gain=0.3");
    surroundings_.Add(verb);
    verb.Option("--seed", seed_, "Seed of the start, and of the ground unless --terrain-seed is given")
        .ShowDefault();
    verb.Option("--trial", trial_, "Number of the start on this ground").ShowDefault();
    verb.Option("--out", out_, "The episode file [runs/rollout-ROBOT-CONTROLLER-SEED.h5]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const study::Surroundings surroundings = GONOGO_TRY(surroundings_.Read(seed_));
    const study::Site anywhere = GONOGO_TRY(study::OpenSite(robot_, surroundings));
    const study::Site opened = GONOGO_TRY(study::SiteOf(anywhere, seed_));
    const study::Site& site = opened;
    if (models_.empty()) models_ = std::filesystem::path("runs") / ("identify-" + site.robot.name);
    const study::Method method =
        GONOGO_TRY(study::OpenMethod(controller_, site.robot, models_, settings_));
    sim::EpisodeRecord record = GONOGO_TRY(
        study::RecordEpisode(site, method, study::SiteStart(site, RngStream(seed_), trial_, 0),
                             {target_[0], target_[1]}));
    record.provenance = nlohmann::json{{"seed", seed_},
                                       {"trial", trial_},
                                       {"terrain", surroundings.ground.text()},
                                       {"terrain_seed", *surroundings.seed.common},
                                       {"conditions", surroundings.conditions.text()},
                                       {"settings", settings_},
                                       {"build", io::CurrentBuild()}}
                            .dump();
    return Finish(site.robot, record, context);
  }

 private:
  Result<ExitCode> Finish(const robot::RobotSpec& spec, const sim::EpisodeRecord& record,
                          const Context& context) const {
    std::filesystem::path file = out_;
    if (file.empty()) file = fmt::format("runs/rollout-{}-{}-{}.h5", spec.name, controller_, seed_);
    if (file.has_parent_path()) {
      GONOGO_TRY(io::MakeDirectory(file.parent_path()));
    }
    GONOGO_TRY(sim::WriteEpisode(file, record));
    const sim::EpisodeResult& result = record.result;
    if (context.options.json) {
      nlohmann::json json = result;
      json["schema"] = "gonogo.episode/1";
      json["controller"] = controller_;
      json["file"] = file.string();
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    report::TextTable table(
        {"controller", "<outcome", "time", "work", "power", "path", "COT", "distance", "height"});
    table.AddRow({controller_, OutcomeText(result), fmt::format("{:.2f} s", result.time_s),
                  fmt::format("{:.1f} J", result.work_j), fmt::format("{:.1f} W", result.power_w),
                  fmt::format("{:.2f} m", result.path_m), fmt::format("{:.3f}", result.cot),
                  fmt::format("{:.2f} m", result.final_distance_m),
                  fmt::format("{:.2f} m", result.final_posture_height_m)});
    context.terminal.Print(
        table.Render(context.terminal.width()) +
        "  COT: cost of transport, work / (weight x path); distance: to the target at the end;\n"
        "  height: of the body above the ground under it, at the end\n");
    context.terminal.Say("episode: " + file.string());
    return kExitDone;
  }

  std::string robot_;
  std::vector<double> target_;
  std::string controller_ = "direct";
  std::filesystem::path models_;
  std::vector<std::string> settings_;
  SurroundingsFlags surroundings_{"rough"};
  std::uint64_t seed_ = 1;
  std::uint64_t trial_ = 0;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeRolloutVerb() { return std::make_unique<RolloutVerb>(); }

}  // namespace gonogo::cli
