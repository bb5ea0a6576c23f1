// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::sim::internal {

constexpr double kTileSize = 8.0;  // m

/// Heights of one square tile, (cells + 1)^2 vertices, zero at its edge.
struct Tile {
  int vertices = 0;            ///< per side
  std::vector<float> heights;  ///< [iy * vertices + ix]
  double origin_z = 0.0;       ///< height on which a robot is put in the middle
};

/// One tile of the given kind at a vertex spacing of 0.1 m or 0.05 m.
[[nodiscard]] Tile MakeTile(TileKind kind, double difficulty, double spacing_m,
                            const robot::TerrainSpec& spec, const RngStream& stream);

/// Copies a tile to the vertices from (ix, iy) on.
void Place(const Tile& tile, int ix, int iy, Terrain& terrain);

}  // namespace gonogo::sim::internal
