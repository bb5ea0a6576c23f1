// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/worlds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gonogo/sim/world/terrain.h"

namespace gonogo::train {
namespace {

using Worlds = std::vector<std::shared_ptr<const sim::World>>;

constexpr int kSteps =
    kStageGrounds / 2;     // roughness and difficulty rise to the stage's value in so many worlds
constexpr int kTiles = 3;  // along each side of a rough world

sim::Terrain Rough(const robot::TerrainSpec& usual, double high_m, const RngStream& stream) {
  if (high_m <= 0.0) return sim::FlatTerrain();
  robot::TerrainSpec spec = usual;
  spec.rough_high_m = std::max(high_m, spec.rough_low_m);
  return sim::RoughTerrain(kTiles, spec, stream);
}

sim::Terrain Tiles(const robot::TerrainSpec& spec, const std::vector<sim::TileKind>& kinds,
                   double difficulty, const RngStream& stream) {
  sim::TerrainOptions options;
  options.columns = kinds;
  options.rows = 2;
  options.difficulty = difficulty;
  return sim::MakeTerrain(options, spec, stream);
}

}  // namespace

Result<Worlds> MakeWorlds(const robot::RobotSpec& spec, const Stage& stage, bool fast_ground,
                          const RngStream& stream) {
  Worlds worlds;
  const auto add = [&](sim::Terrain terrain) -> Status {
    std::shared_ptr<const sim::World> world =
        GONOGO_TRY(sim::World::Create(spec, std::move(terrain), {.fast_ground = fast_ground}));
    worlds.push_back(std::move(world));
    return {};
  };
  // Shares are counted in eighths, so that any number of environments sees the whole mixture.
  const int tiles =
      stage.difficulty < 0.0 ? 0 : static_cast<int>(std::lround(kStageGrounds * stage.tile_share));
  for (int i = 0; i < kStageGrounds; ++i) {
    const double level = static_cast<double>(i % kSteps + 1) / kSteps;
    const RngStream own = stream.Child(i);
    GONOGO_TRY(i < tiles ? add(Tiles(spec.terrain, stage.tiles, level * stage.difficulty, own))
                         : add(Rough(spec.terrain, level * stage.rough_m, own)));
  }
  return worlds;
}

}  // namespace gonogo::train
