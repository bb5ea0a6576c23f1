// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/scene.h"

#include <cmath>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/file_stamp.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/model/engine.h"

namespace gonogo::study {
namespace {

using WorldPtr = std::shared_ptr<const sim::World>;

Result<WorldPtr> MakeWorld(const robot::RobotSpec& robot, const Surroundings& surroundings,
                           std::uint64_t seed) {
  const RngStream ground = RngStream(surroundings.seed.For(seed)).Child("terrain");
  sim::Variation variation;
  if (surroundings.conditions.payload_kg) {
    const sim::DrawRange& payload = *surroundings.conditions.payload_kg;
    variation.root_mass_offset_kg =
        RngStream(seed).Child("payload").Generator().Uniform(payload.low, payload.high);
  }
  if (surroundings.conditions.friction) {
    const sim::DrawRange& friction = *surroundings.conditions.friction;
    variation.friction =
        RngStream(seed).Child("friction").Generator().Uniform(friction.low, friction.high);
  }
  return sim::World::Create(robot, sim::MakeGround(surroundings.ground, robot.terrain, ground),
                            variation);
}

Result<std::string> FileHash(const std::filesystem::path& file) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  return io::Sha256Hex(bytes);
}

/// Reads files that must not change until all of them are read.
class SteadyFiles {
 public:
  /// To be called before the file is read.
  void Watch(const std::filesystem::path& file) {
    stamps_.emplace_back(file, io::FileStamp::Of(file));
  }
  [[nodiscard]] Status Check() const {
    for (const auto& [file, stamp] : stamps_) {
      if (stamp == io::FileStamp::Of(file)) continue;
      return InputError(
          "{}: was changed while it was read; run the same command again when it is whole",
          file.string());
    }
    return {};
  }

 private:
  std::vector<std::pair<std::filesystem::path, io::FileStamp>> stamps_;
};

}  // namespace

std::string Surroundings::text() const {
  std::string text =
      fmt::format("{} of {}", ground.text(), seed.common ? "seed " + seed.text() : "each seed");
  if (const std::string under = conditions.text(); !under.empty()) text += ", " + under;
  return text;
}

Result<WorldPtr> OpenWorld(const robot::RobotSpec& robot, std::string_view terrain,
                           std::uint64_t terrain_seed) {
  const sim::Ground ground = GONOGO_TRY(sim::Ground::Parse(terrain));
  return MakeWorld(robot, {.ground = ground, .seed = {.common = terrain_seed}}, terrain_seed);
}

Result<Scene> OpenScene(const std::filesystem::path& robot, std::string_view terrain,
                        std::uint64_t terrain_seed) {
  const sim::Ground ground = GONOGO_TRY(sim::Ground::Parse(terrain));
  return OpenScene(robot, {.ground = ground, .seed = {.common = terrain_seed}});
}

Result<std::string> PolicyHash(const robot::RobotSpec& robot) {
  std::string bytes = GONOGO_TRY(io::ReadFile(robot.policy));
  if (!robot.encoder.file.empty()) {
    const std::string encoder = GONOGO_TRY(io::ReadFile(robot.encoder.file));
    bytes += encoder;
  }
  return io::Sha256Hex(bytes);
}

std::filesystem::path ModelsFolder(const std::string& robot) {
  return std::filesystem::path("runs") / ("identify-" + robot);
}

Result<OpenedRobot> OpenRobot(const std::filesystem::path& robot) {
  SteadyFiles files;
  std::error_code code;
  files.Watch(std::filesystem::is_directory(robot, code) ? robot / "robot.toml" : robot);
  OpenedRobot opened{.spec = GONOGO_TRY(robot::LoadRobotSpec(robot))};
  const robot::RobotSpec& spec = opened.spec;
  for (const auto& file : {spec.model, spec.policy, spec.encoder.file}) files.Watch(file);
  opened.policy = GONOGO_TRY(sim::OnnxPolicy::Load(spec));
  opened.sha256.policy = GONOGO_TRY(PolicyHash(spec));
  opened.sha256.description = GONOGO_TRY(FileHash(spec.file));
  opened.sha256.model = GONOGO_TRY(FileHash(spec.model));
  GONOGO_TRY(files.Check());
  return opened;
}

Result<Scene> OpenScene(const std::filesystem::path& robot, const Surroundings& surroundings) {
  OpenedRobot opened = GONOGO_TRY(OpenRobot(robot));
  return OpenScene(std::move(opened), surroundings);
}

Result<Scene> OpenScene(OpenedRobot robot, const Surroundings& surroundings) {
  const sim::Conditions& conditions = surroundings.conditions;
  double& nominal_m = robot.spec.posture.nominal_height_m;
  if (conditions.nominal_height_m) nominal_m = *conditions.nominal_height_m;
  if (conditions.measured_nominal) {
    nominal_m = GONOGO_TRY(StandingHeight(robot.spec, robot.policy));
  }
  Scene scene{.robot = std::move(robot.spec),
              .policy = std::move(robot.policy),
              .sha256 = std::move(robot.sha256),
              .world = nullptr,
              .by_seed = {},
              .conditions = conditions};
  if (surroundings.differ_by_seed()) {
    scene.by_seed = surroundings;
    return scene;
  }
  scene.world = GONOGO_TRY(MakeWorld(scene.robot, surroundings, *surroundings.seed.common));
  return scene;
}

std::string SceneFingerprint(const Scene& scene) {
  nlohmann::json parts{{"schema", "gonogo.episodes/1"},     {"policy", scene.sha256.policy},
                       {"robot", scene.sha256.description}, {"model", scene.sha256.model},
                       {"build", io::CurrentBuild()},       {"engine", sim::EngineVersion()}};
  if (const std::string under = scene.conditions.text(); !under.empty()) {
    parts["conditions"] = under;
  }
  if (scene.by_seed) {  // the robot's file and the seeds of the episodes say the rest
    parts["terrain"] = scene.by_seed->text();
    return parts.dump();
  }
  parts["terrain"] = scene.world->terrain().name;
  const std::vector<float>& heights = scene.world->terrain().heights;
  parts["heights"] = io::Sha256Hex(
      {reinterpret_cast<const char*>(heights.data()), heights.size() * sizeof(float)});
  return parts.dump();
}

Result<Scene> SceneOf(const Scene& scene, std::uint64_t seed) {
  Scene here = scene;
  if (!scene.by_seed) return here;
  here.by_seed.reset();
  here.world = GONOGO_TRY(MakeWorld(scene.robot, *scene.by_seed, seed));
  return here;
}

Result<double> StandingHeight(const robot::RobotSpec& robot,
                              const std::shared_ptr<const robot::Policy>& policy) {
  const WorldPtr world = GONOGO_TRY(sim::World::Create(robot, sim::FlatTerrain()));
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
  loop.Reset({.p_W = {0.0, 0.0, robot.spawn_height_m}});
  const int second = static_cast<int>(std::lround(1.0 / robot.control_dt_s()));
  double sum = 0.0;
  for (int step = 0; step < 3 * second; ++step) {
    GONOGO_TRY(loop.Advance({}));
    if (loop.env().termination() != sim::Termination::kNone) {
      return InputError("{}: cannot measure at which height the policy stands: {} after {} s",
                        robot.file.string(), loop.env().termination_detail(),
                        loop.env().state().time_s);
    }
    if (step >= 2 * second) sum += loop.env().state().posture_height_m;
  }
  return sum / second;
}

}  // namespace gonogo::study
