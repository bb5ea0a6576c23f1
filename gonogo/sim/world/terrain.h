// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/robot/spec/spec.h"

namespace gonogo {
class RngStream;
}

namespace gonogo::sim {

/// Rows of rising difficulty in the training grid of the paper's environments.
inline constexpr int kGridRows = 10;

/// Shapes of one 8 m x 8 m tile.
enum class TileKind { kFlat, kRough, kSlope, kSlopeDown, kStairs, kStairsDown, kBoxes, kMixed };

/// The middle of a tile, where robots are put.
struct TerrainOrigin {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  TileKind kind = TileKind::kFlat;
  double difficulty = 0.0;  ///< in [0, 1)
};

/// Ground: an infinite plane at z = 0, or a height field (single-valued in z, so that the engine's
/// collisions and our height lookup share the same triangles).
struct Terrain {
  std::string name;
  int nx = 0;  ///< vertices along x; 0 = an infinite plane
  int ny = 0;
  double spacing_m = 0.1;
  double x0 = 0.0;  ///< corner with the smallest coordinates
  double y0 = 0.0;
  std::vector<float> heights;  ///< [iy * nx + ix], metres
  std::vector<TerrainOrigin> origins;

  [[nodiscard]] bool is_plane() const { return nx == 0; }
  /// Height of the ground; beyond the edge, the height at the edge.
  [[nodiscard]] double Height(double x, double y) const;
  /// Whether (x, y) is on the ground and at least `margin_m` from its edge.
  [[nodiscard]] bool Contains(double x, double y, double margin_m) const;
};

/// What to build.
struct TerrainOptions {
  std::vector<TileKind> columns{TileKind::kFlat};  ///< one per column of tiles, along y
  int rows = 1;                                    ///< tiles along x
  /// Difficulty of row r is (r + u) / rows with u ~ U(0, 1) drawn per tile; with one row, u itself
  /// unless `difficulty` is given.
  double difficulty = -1.0;  ///< in [0, 1]: the same on every tile; negative: by row
  double border_m = 2.0;     ///< flat ground around the tiles
  int first_row = 0;         ///< of `rows`: those before it are not built …
  int last_row = -1;         ///< … nor those after it; negative: the last one
  /// What the columns are called in the random streams of their tiles: 0, 1, … if empty. A part of
  /// a larger terrain built with its numbers has the same tiles.
  std::vector<int> numbers = {};
};

/// A seeded terrain. The same options and stream always give the same heights. Only flat tiles
/// give a plane.
[[nodiscard]] Terrain MakeTerrain(const TerrainOptions& options, const robot::TerrainSpec& spec,
                                  const RngStream& stream);

/// An infinite plane at z = 0.
[[nodiscard]] Terrain FlatTerrain();

/// `tiles` x `tiles` random-rough tiles.
[[nodiscard]] Terrain RoughTerrain(int tiles, const robot::TerrainSpec& spec,
                                   const RngStream& stream);

/// Kinds of the 20 columns of the training grid: 4 stairs up, 4 down, 4 boxes, 4 rough, 2 slopes
/// up, 2 down.
[[nodiscard]] const std::vector<TileKind>& GridColumns();

/// The training grid of the paper's environments: `kGridRows` rows, the columns above.
[[nodiscard]] Terrain GridTerrain(const robot::TerrainSpec& spec, const RngStream& stream);

}  // namespace gonogo::sim
