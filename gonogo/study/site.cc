// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/site.h"

#include <cmath>
#include <utility>

#include "gonogo/io/file.h"
#include "gonogo/io/file_stamp.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/onnx_policy.h"

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

Result<Site> OpenSite(const std::filesystem::path& robot, std::string_view terrain,
                      std::uint64_t terrain_seed) {
  const sim::Ground ground = GONOGO_TRY(sim::Ground::Parse(terrain));
  return OpenSite(robot, {.ground = ground, .seed = {.common = terrain_seed}});
}

Result<std::string> PolicyHash(const robot::RobotSpec& robot) {
  std::string bytes = GONOGO_TRY(io::ReadFile(robot.policy));
  if (!robot.encoder.file.empty()) {
    const std::string encoder = GONOGO_TRY(io::ReadFile(robot.encoder.file));
    bytes += encoder;
  }
  return io::Sha256Hex(bytes);
}

Result<Site> OpenSite(const std::filesystem::path& robot, const Surroundings& surroundings) {
  robot::RobotSpec spec = GONOGO_TRY(robot::LoadRobotSpec(robot));
  const std::pair stamps(io::FileStamp::Of(spec.policy), io::FileStamp::Of(spec.encoder.file));
  const std::shared_ptr<const robot::Policy> policy = GONOGO_TRY(sim::OnnxPolicy::Load(spec));
  const std::string policy_hash = GONOGO_TRY(PolicyHash(spec));
  // Else episodes of one policy could be kept under the hash of another.
  if (stamps != std::pair(io::FileStamp::Of(spec.policy), io::FileStamp::Of(spec.encoder.file))) {
    return InputError(
        "{}: was changed while it was read; run the same command again when it is whole",
        spec.policy.string());
  }
  GONOGO_TRY(ApplyNominal(surroundings.conditions, spec));
  Site site{.robot = std::move(spec),
            .policy = policy,
            .policy_sha256 = policy_hash,
            .world = nullptr,
            .by_seed = {},
            .conditions = surroundings.conditions};
  if (surroundings.differ_by_seed()) {
    site.by_seed = surroundings;
    return site;
  }
  site.world = GONOGO_TRY(MakeWorld(site.robot, surroundings, *surroundings.seed.common));
  return site;
}

Result<Site> SiteOf(const Site& site, std::uint64_t seed) {
  Site here = site;
  if (!site.by_seed) return here;
  here.by_seed.reset();
  here.world = GONOGO_TRY(MakeWorld(site.robot, *site.by_seed, seed));
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

Status ApplyNominal(const sim::Conditions& conditions, robot::RobotSpec& robot) {
  if (conditions.nominal_height_m) robot.posture.nominal_height_m = *conditions.nominal_height_m;
  if (!conditions.measured_nominal) return {};
  const std::shared_ptr<const robot::Policy> policy = GONOGO_TRY(sim::OnnxPolicy::Load(robot));
  robot.posture.nominal_height_m = GONOGO_TRY(StandingHeight(robot, policy));
  return {};
}

}  // namespace gonogo::study
