// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/rng.h"
#include "gonogo/cli/robot/episode_scene.h"
#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/report/viewer/viewer_page.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/study/episode.h"

namespace gonogo::cli {
namespace {

constexpr const char* kRolloutExamples = R"(
Examples:
  gonogo rollout robots/go2 --target 2,0
  gonogo rollout robots/go2 --target 0,1.25 --controller scale-0.75 --seed 7 --out slow.h5
  gonogo rollout robots/go2 --target 2,0 --controller vgcc --models runs/identify-go2 --set vgcc.gain=0.3
  gonogo rollout robots/go2 --target 2,0 --controller adapter:adapters/go2     an exported adapter
  gonogo rollout robots/go2 --target 2,0 --controller adapter:adapters/go2 --beside direct,action:scale-0.75   a page that shows all three
  gonogo rollout robots/go2 --target 1.5,1 --terrain flat --json
  gonogo rollout robots/go2 --target 2,0 --terrain stairs:0-5 --terrain-seed 1 --seed 7
  gonogo rollout robots/go2 --command 0.5,0,0 --seconds 10 --terrain flat    no target, one command

Controllers: {} (any factor after "scale-"), action:ACTION (one action of an audit at every decision) and adapter:FOLDER. The target is in metres from the start pose, x forward and y left. The same seed gives
the same ground and start for every controller. A command is vx,vy (m/s),wz (rad/s) in the body frame, or whatever
[[command.channel]] of robot.toml lists, in its order; the place to which it leads takes the place of a target. OUT is an HDF5 episode (docs/reference/formats.md).
)";

class RolloutVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "rollout", "Let a robot walk once, to a target or under a command, and write the episode",
        fmt::format(kRolloutExamples, fmt::join(study::MethodNames(), ", ")));
    verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
    Argument target =
        verb.Option("--target", target_,
                    "Where to walk: X,Y in metres from the start, x forward and y to the left")
            .Commas()
            .Exactly(2)
            .Finite();
    Argument command =
        verb.Option("--command", command_,
                    "A command to hold instead of walking to a target: VX,VY in m/s, WZ in rad/s, "
                    "or a number for every [[command.channel]]")
            .Commas()
            .Finite()
            .Excludes(target);
    verb.Option("--seconds", seconds_, "How long --command is held [the horizon of the task]")
        .Needs(command);
    verb.Option("--controller", controller_, "Who gives the commands; the names are below")
        .ShowDefault();
    verb.Option("--beside", beside_,
                "Controllers that walk from the same start as well; a 3-D page shows all of them, "
                "these as ghosts")
        .Commas()
        .Excludes(command);
    verb.Option("--page", page_, "The page of --beside [the episode file with .html]").Rare();
    verb.Option("--models", models_,
                "The folder that 'gonogo identify' wrote [runs/identify-ROBOT]")
        .Rare();
    verb.Option("--set", settings_, "A setting of the controller, such as vgcc.gain=0.3");
    surroundings_.Add(verb);
    verb.Option("--seed", seed_,
                "Seed of the start, and of the ground unless --terrain-seed is given")
        .ShowDefault();
    verb.Option("--trial", trial_, "Number of the start on this ground").ShowDefault().Rare();
    verb.Option("--out", out_, "The episode file [runs/rollout-ROBOT-CONTROLLER-SEED.h5]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (target_.empty() && command_.empty()) {
      return UsageError("rollout needs --target X,Y or --command VX,VY,WZ");
    }
    const study::Surroundings surroundings = GONOGO_TRY(surroundings_.Read(seed_));
    const study::Scene anywhere = GONOGO_TRY(study::OpenScene(robot_, surroundings));
    const study::Scene opened = GONOGO_TRY(study::SceneOf(anywhere, seed_));
    const study::Scene& scene = opened;
    std::vector<sim::EpisodeRecord> records;
    if (command_.empty()) {
      records = GONOGO_TRY(ToTarget(scene));
    } else {
      records.push_back(GONOGO_TRY(UnderCommand(scene)));
    }
    records.front().provenance = nlohmann::json{
        {"seed", seed_},
        {"trial", trial_},
        {"terrain", surroundings.ground.text()},
        {"terrain_seed", *surroundings.seed.common},
        {"conditions", surroundings.conditions.text()},
        {"settings", settings_},
        {"build",
         io::CurrentBuild()}}.dump();
    return Finish(scene.robot, records, context);
  }

 private:
  /// The controller, then those beside it.
  Result<std::vector<sim::EpisodeRecord>> ToTarget(const study::Scene& scene) {
    if (models_.empty()) models_ = study::ModelsFolder(scene.robot.name);
    std::vector<std::string> names{controller_};
    names.insert(names.end(), beside_.begin(), beside_.end());
    std::vector<study::Method> methods;  // all of them first: a wrong name is told before any walk
    for (const std::string& name : names) {
      methods.push_back(GONOGO_TRY(study::OpenMethod(name, scene.robot, models_, settings_)));
    }
    std::vector<sim::EpisodeRecord> records;
    for (const study::Method& method : methods) {
      records.push_back(GONOGO_TRY(
          study::RecordEpisode(scene, method, StartOn(scene), {target_[0], target_[1]})));
    }
    return records;
  }

  Result<sim::EpisodeRecord> UnderCommand(const study::Scene& scene) {
    const std::vector<robot::CommandChannel>& channels = scene.robot.channels;
    if (command_.size() != channels.size()) {
      return UsageError("--command has {} numbers, expected {} for {}: {}", command_.size(),
                        channels.size(), scene.robot.name, robot::ChannelNames(channels));
    }
    robot::Command command;
    for (std::size_t i = 0; i < channels.size(); ++i) channels[i].Set(command, command_[i]);
    const double seconds = seconds_ > 0.0 ? seconds_ : scene.robot.task.horizon_s;
    study::Drive drive = GONOGO_TRY(study::RecordDrive(scene, command, seconds, StartOn(scene)));
    controller_ = fmt::format("command {}", fmt::join(command_, ","));
    drive.record.controller = controller_;
    velocity_ = drive.velocity;
    return std::move(drive.record);
  }

  [[nodiscard]] sim::Start StartOn(const study::Scene& scene) const {
    return study::SceneStart(scene, RngStream(seed_), trial_, 0);
  }

  /// How the episode went, in words.
  [[nodiscard]] std::string Outcome(const robot::RobotSpec& robot,
                                    const sim::EpisodeResult& result) const {
    if (command_.empty() || result.termination != sim::Termination::kNone) {
      return sim::OutcomeText(result, robot);
    }
    return fmt::format("moved at vx {:+.2f}, vy {:+.2f} m/s, wz {:+.2f} rad/s", velocity_[0],
                       velocity_[1], velocity_[2]);
  }

  [[nodiscard]] nlohmann::json Json(const robot::RobotSpec& robot,
                                    const sim::EpisodeRecord& record) const {
    nlohmann::json json = record.result;
    json["schema"] = "gonogo.episode/1";
    json["controller"] = record.controller;
    json["outcome"] = Outcome(robot, record.result);
    return json;
  }

  /// All episodes on one page; empty where there is but one.
  [[nodiscard]] Result<std::filesystem::path> WritePage(
      const std::vector<sim::EpisodeRecord>& records, const std::filesystem::path& file) const {
    if (records.size() < 2) return std::filesystem::path();
    std::filesystem::path page = page_;
    if (page.empty()) page = std::filesystem::path(file).replace_extension(".html");
    report::ViewerScene scene = GONOGO_TRY(EpisodeScene(records));
    scene.title =
        fmt::format("{}: {} controllers from one start", records.front().robot, records.size());
    GONOGO_TRY(io::WriteFile(page, report::ViewerPage(scene)));
    return page;
  }

  Result<ExitCode> Finish(const robot::RobotSpec& spec,
                          const std::vector<sim::EpisodeRecord>& records,
                          const Context& context) const {
    std::filesystem::path file = out_;
    if (file.empty()) {
      std::string name = fmt::format("rollout-{}-{}-{}.h5", spec.name, controller_, seed_);
      std::replace(name.begin(), name.end(), '/', '_');  // of an adapter's folder
      file = std::filesystem::path("runs") / name;
    }
    if (file.has_parent_path()) {
      GONOGO_TRY(io::MakeDirectory(file.parent_path()));
    }
    GONOGO_TRY(sim::WriteEpisode(file, records.front()));
    const std::filesystem::path page = GONOGO_TRY(WritePage(records, file));
    if (context.options.json) {
      nlohmann::json json = Json(spec, records.front());
      for (std::size_t i = 1; i < records.size(); ++i) {
        json["beside"].push_back(Json(spec, records[i]));
      }
      if (!page.empty()) json["page"] = page.string();
      if (!command_.empty()) {
        json["command"] = command_;
        json["velocity"] = velocity_;
      }
      json["file"] = file.string();
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    report::TextTable table(
        {"controller", "<outcome", "time", "work", "power", "path", "COT", "distance", "height"});
    for (const sim::EpisodeRecord& record : records) {
      const sim::EpisodeResult& result = record.result;
      table.AddRow({record.controller, Outcome(spec, result),
                    fmt::format("{:.2f} s", result.time_s), fmt::format("{:.1f} J", result.work_j),
                    fmt::format("{:.1f} W", result.power_w), fmt::format("{:.2f} m", result.path_m),
                    fmt::format("{:.3f}", result.cot),
                    fmt::format("{:.2f} m", result.final_distance_m),
                    fmt::format("{:.2f} m", result.final_posture_height_m)});
    }
    context.terminal.Print(
        table.Render(context.terminal.width()) +
        "  COT: cost of transport, work / (weight x path); distance: to the target at the end;\n"
        "  height: of the body above the ground under it, at the end\n");
    context.terminal.Say("episode: " + file.string());
    if (!page.empty()) context.terminal.Say("page: " + page.string());
    return kExitDone;
  }

  std::string robot_;
  std::vector<double> target_;
  std::vector<double> command_;
  double seconds_ = 0.0;
  std::array<double, 3> velocity_{};  // of a drive
  std::string controller_ = "direct";
  std::vector<std::string> beside_;
  std::filesystem::path page_;
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
