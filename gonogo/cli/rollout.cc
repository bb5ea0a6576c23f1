// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/rollout.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/nearest.h"
#include "gonogo/control/direct.h"
#include "gonogo/control/fixed_scale.h"
#include "gonogo/control/governor.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text_table.h"
#include "gonogo/sim/episode_json.h"
#include "gonogo/sim/onnx_policy.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo rollout robots/go2 --target 2,0
  gonogo rollout robots/go2 --target 0,1.25 --controller scale:0.75 --seed 7 --out slow.h5
  gonogo rollout robots/go2 --target 1.5,1 --terrain flat --json

Controllers: direct (Eq. 1 of the paper), scale:FACTOR, governor. The target is in metres from the start pose, x forward and y
left. The same seed gives the same ground and start for every controller. OUT is an HDF5 episode (docs/reference/formats.md).
)";

using ControllerPtr = std::unique_ptr<control::Controller>;

Result<ControllerPtr> MakeController(const std::string& name, const robot::RobotSpec& spec) {
  if (name == "direct") return ControllerPtr(std::make_unique<control::Direct>(spec));
  if (name == "governor") {
    Result<control::Governor> governor = control::Governor::Create({}, spec);
    if (!governor.ok()) return governor.error();
    return ControllerPtr(std::make_unique<control::Governor>(std::move(governor).value()));
  }
  if (name.starts_with("scale:")) {
    const char* text = name.c_str() + 6;
    char* end = nullptr;
    const double factor = std::strtod(text, &end);
    if (end == text || *end != '\0') {
      return UsageError("--controller {}: expected a number after 'scale:'", name);
    }
    Result<control::FixedScale> scale = control::FixedScale::Create(factor, spec);
    if (!scale.ok()) return scale.error();
    return ControllerPtr(std::make_unique<control::FixedScale>(std::move(scale).value()));
  }
  const std::vector<std::string> known = {"direct", "governor", "scale:0.75"};
  return UsageError("--controller {}: expected direct, scale:FACTOR or governor{}", name,
                    DidYouMean(name, known));
}

Result<sim::Terrain> MakeGround(const std::string& kind, const robot::RobotSpec& spec,
                                const RngStream& stream) {
  if (kind == "flat") return sim::FlatTerrain();
  if (kind == "rough") return sim::RoughTerrain(1, spec.terrain, stream);
  static const std::map<std::string, sim::TileKind> kTiles = {{"slope", sim::TileKind::kSlope},
                                                              {"stairs", sim::TileKind::kStairs},
                                                              {"boxes", sim::TileKind::kBoxes}};
  return sim::MakeTerrain({.columns = {kTiles.at(kind)}}, spec.terrain, stream);
}

control::Situation SituationOf(const sim::Sight& sight) {
  const double down = std::clamp(-sight.state.gravity_B[2], -1.0, 1.0);
  return {.observation = sight.observation,
          .goal_B = sight.goal_B,
          .height_m = sight.state.posture_height_m,
          .tilt_rad = std::acos(down)};
}

class RolloutVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb =
        app.add_subcommand("rollout", "Run one target-reaching episode and write it to a file");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("robot", robot_, "Folder with robot.toml")->required();
    verb->add_option("--target", target_, "X,Y in metres from the start pose")
        ->delimiter(',')
        ->expected(2)
        ->required();
    verb->add_option("--controller", controller_, "direct, scale:FACTOR or governor")
        ->capture_default_str();
    verb->add_option("--terrain", terrain_, "flat, rough, slope, stairs or boxes")
        ->check(CLI::IsMember({"flat", "rough", "slope", "stairs", "boxes"}))
        ->capture_default_str();
    verb->add_option("--seed", seed_, "Names the ground and the start")->capture_default_str();
    verb->add_option("--trial", trial_, "Another start on the same ground")->capture_default_str();
    verb->add_option("--out", out_, "Episode file [runs/rollout-ROBOT-SEED.h5]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(robot_);
    if (!spec.ok()) return spec.error();
    const Result<ControllerPtr> controller = MakeController(controller_, spec.value());
    if (!controller.ok()) return controller.error();
    const Result<std::shared_ptr<const robot::Policy>> policy = sim::OnnxPolicy::Load(spec.value());
    if (!policy.ok()) return policy.error();
    const RngStream cluster = RngStream(seed_);
    Result<sim::Terrain> ground = MakeGround(terrain_, spec.value(), cluster.Child("terrain"));
    if (!ground.ok()) return ground.error();
    const Result<std::shared_ptr<const sim::World>> world =
        sim::World::Create(spec.value(), std::move(ground).value());
    if (!world.ok()) return world.error();
    Result<sim::ClosedLoop> loop = sim::ClosedLoop::Create(world.value(), policy.value());
    if (!loop.ok()) return loop.error();
    const Result<sim::EpisodeRecord> record =
        RunEpisode(loop.value(), *controller.value(), cluster);
    if (!record.ok()) return record.error();
    return Finish(spec.value(), record.value(), context);
  }

 private:
  Result<sim::EpisodeRecord> RunEpisode(sim::ClosedLoop& loop, control::Controller& controller,
                                        const RngStream& cluster) const {
    Result<sim::Figure> figure = sim::Figure::Create(loop.env().spec());
    if (!figure.ok()) return figure.error();
    sim::EpisodeRecorder recorder(loop.env(), figure.value());
    const sim::Start start = sim::PairedStart(loop.env().world(), cluster, trial_, 0);
    sim::TargetRun run(loop, start, {target_[0], target_[1]}, std::ref(recorder));
    recorder.Begin();
    while (!run.done()) {
      const control::Decision decision = controller.Decide(SituationOf(run.Look()));
      if (Status done = run.Execute(decision.command); !done.ok()) return done.error();
    }
    sim::EpisodeRecord record = recorder.Finish(run);
    record.controller = controller_;
    record.provenance = nlohmann::json{{"seed", seed_},
                                       {"trial", trial_},
                                       {"terrain", terrain_},
                                       {"build", io::CurrentBuild()}}
                            .dump();
    return record;
  }

  Result<ExitCode> Finish(const robot::RobotSpec& spec, const sim::EpisodeRecord& record,
                          const Context& context) const {
    std::filesystem::path file = out_;
    if (file.empty()) file = fmt::format("runs/rollout-{}-{}.h5", spec.name, seed_);
    if (file.has_parent_path()) {
      if (Status made = io::MakeDirectory(file.parent_path()); !made.ok()) return made.error();
    }
    if (Status written = sim::WriteEpisode(file, record); !written.ok()) return written.error();
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
    table.AddRow(
        {controller_, result.success ? "reached the target" : "failed " + result.termination_detail,
         fmt::format("{:.2f} s", result.time_s), fmt::format("{:.1f} J", result.work_j),
         fmt::format("{:.1f} W", result.power_w), fmt::format("{:.2f} m", result.path_m),
         fmt::format("{:.3f}", result.cot), fmt::format("{:.2f} m", result.final_distance_m),
         fmt::format("{:.2f} m", result.final_height_m)});
    context.terminal.Print(table.Render());
    context.terminal.Say("episode: " + file.string());
    return kExitDone;
  }

  std::string robot_;
  std::vector<double> target_;
  std::string controller_ = "direct";
  std::string terrain_ = "rough";
  std::uint64_t seed_ = 1;
  std::uint64_t trial_ = 0;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeRolloutVerb() { return std::make_unique<RolloutVerb>(); }

}  // namespace gonogo::cli
