// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/site.h"

#include <optional>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/loop/onnx_policy.h"

namespace gonogo::study {
namespace {

constexpr int kRoughTiles = 3;

std::optional<sim::Terrain> MakeNamedTerrain(std::string_view name, const robot::TerrainSpec& spec,
                                             const RngStream& stream) {
  if (name == "flat") return sim::FlatTerrain();
  if (name == "rough") return sim::RoughTerrain(kRoughTiles, spec, stream);
  if (name == "grid") return sim::GridTerrain(spec, stream);
  using sim::TileKind;
  for (const auto& [tile, kind] : {std::pair{"slope", TileKind::kSlope},
                                   {"stairs", TileKind::kStairs},
                                   {"boxes", TileKind::kBoxes}}) {
    if (name == tile) return sim::MakeTerrain({.columns = {kind}}, spec, stream);
  }
  return std::nullopt;
}

}  // namespace

Result<std::shared_ptr<const sim::World>> OpenWorld(const robot::RobotSpec& robot,
                                                    std::string_view terrain,
                                                    std::uint64_t terrain_seed) {
  std::optional<sim::Terrain> ground =
      MakeNamedTerrain(terrain, robot.terrain, RngStream(terrain_seed).Child("terrain"));
  if (!ground) {
    return UsageError("terrain is \"{}\", expected flat, rough, grid, slope, stairs or boxes",
                      terrain);
  }
  return sim::World::Create(robot, *std::move(ground));
}

Result<Site> OpenSite(const std::filesystem::path& robot, std::string_view terrain,
                      std::uint64_t terrain_seed) {
  robot::RobotSpec spec = GONOGO_TRY(robot::LoadRobotSpec(robot));
  const std::shared_ptr<const sim::World> world =
      GONOGO_TRY(OpenWorld(spec, terrain, terrain_seed));
  const std::shared_ptr<const robot::Policy> policy = GONOGO_TRY(sim::OnnxPolicy::Load(spec));
  const std::string bytes = GONOGO_TRY(io::ReadFile(spec.policy));
  return Site{.robot = std::move(spec),
              .policy = policy,
              .policy_sha256 = io::Sha256Hex(bytes),
              .world = world};
}

}  // namespace gonogo::study
