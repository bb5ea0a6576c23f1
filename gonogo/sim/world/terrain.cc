// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/terrain.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/sim/world/tiles.h"

namespace gonogo::sim {
namespace {

bool HasSteps(const TerrainOptions& options) {
  return std::any_of(options.columns.begin(), options.columns.end(), [](TileKind kind) {
    return kind == TileKind::kStairs || kind == TileKind::kStairsDown || kind == TileKind::kBoxes ||
           kind == TileKind::kMixed;
  });
}

bool AllFlat(const TerrainOptions& options) {
  return std::all_of(options.columns.begin(), options.columns.end(),
                     [](TileKind kind) { return kind == TileKind::kFlat; });
}

double TileDifficulty(const TerrainOptions& options, int row, const RngStream& stream) {
  if (options.difficulty >= 0.0) return options.difficulty;
  return (row + stream.Generator().Uniform()) / options.rows;
}

}  // namespace

double Terrain::Height(double x, double y) const {
  if (is_plane()) return 0.0;
  const double u = std::clamp((x - x0) / spacing_m, 0.0, static_cast<double>(nx - 1));
  const double v = std::clamp((y - y0) / spacing_m, 0.0, static_cast<double>(ny - 1));
  const int ix = std::min(static_cast<int>(u), nx - 2);
  const int iy = std::min(static_cast<int>(v), ny - 2);
  const double fu = u - ix;
  const double fv = v - iy;
  const float* corner = heights.data() + static_cast<std::ptrdiff_t>(iy) * nx + ix;
  const double h00 = corner[0];
  const double h11 = corner[nx + 1];
  // The engine cuts each cell along the diagonal from (x, y) to (x + 1, y + 1). Which side a point
  // lies on is anybody's guess, also a processor's: a choice of numbers costs less than a branch.
  const bool right = fu >= fv;
  const double side = right ? corner[1] : corner[nx];
  const double along = right ? fu : fv;
  const double across = right ? fv : fu;
  return h00 + along * (side - h00) + across * (h11 - side);
}

bool Terrain::Contains(double x, double y, double margin_m) const {
  if (is_plane()) return true;
  const double x1 = x0 + (nx - 1) * spacing_m;
  const double y1 = y0 + (ny - 1) * spacing_m;
  return x >= x0 + margin_m && x <= x1 - margin_m && y >= y0 + margin_m && y <= y1 - margin_m;
}

Terrain FlatTerrain() {
  Terrain terrain;
  terrain.name = "flat";
  terrain.origins.push_back({});
  return terrain;
}

Terrain MakeTerrain(const TerrainOptions& options, const robot::TerrainSpec& spec,
                    const RngStream& stream) {
  if (AllFlat(options)) return FlatTerrain();
  const int columns = static_cast<int>(options.columns.size());
  GONOGO_CHECK(options.numbers.empty() || options.numbers.size() == options.columns.size());
  const int last_row = options.last_row < 0 ? options.rows - 1 : options.last_row;
  const int rows = last_row - options.first_row + 1;
  GONOGO_CHECK(rows > 0 && last_row < options.rows);
  Terrain terrain;
  terrain.name = "tiles";
  // Risers of stairs and boxes are ramps one cell wide: halve the cell where there are any.
  terrain.spacing_m = HasSteps(options) ? 0.05 : 0.1;
  const int tile_cells = static_cast<int>(std::lround(internal::kTileSize / terrain.spacing_m));
  const int border = static_cast<int>(std::lround(options.border_m / terrain.spacing_m));
  terrain.nx = rows * tile_cells + 2 * border + 1;
  terrain.ny = columns * tile_cells + 2 * border + 1;
  terrain.x0 = -0.5 * (terrain.nx - 1) * terrain.spacing_m;
  terrain.y0 = -0.5 * (terrain.ny - 1) * terrain.spacing_m;
  terrain.heights.assign(static_cast<std::size_t>(terrain.nx) * terrain.ny, 0.0F);
  for (int row = options.first_row; row <= last_row; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int number =
          options.numbers.empty() ? column : options.numbers[static_cast<std::size_t>(column)];
      const RngStream tile_stream = stream.Child("tile").Child(row).Child(number);
      const double difficulty = TileDifficulty(options, row, tile_stream.Child("difficulty"));
      const TileKind kind = options.columns[static_cast<std::size_t>(column)];
      const internal::Tile tile =
          internal::MakeTile(kind, difficulty, terrain.spacing_m, spec, tile_stream.Child("shape"));
      const int ix = border + (row - options.first_row) * tile_cells;
      const int iy = border + column * tile_cells;
      internal::Place(tile, ix, iy, terrain);
      terrain.origins.push_back({terrain.x0 + (ix + 0.5 * tile_cells) * terrain.spacing_m,
                                 terrain.y0 + (iy + 0.5 * tile_cells) * terrain.spacing_m,
                                 tile.origin_z, kind, difficulty});
    }
  }
  return terrain;
}

Terrain RoughTerrain(int tiles, const robot::TerrainSpec& spec, const RngStream& stream) {
  TerrainOptions options;
  options.columns.assign(static_cast<std::size_t>(tiles), TileKind::kRough);
  options.rows = tiles;
  Terrain terrain = MakeTerrain(options, spec, stream);
  terrain.name = "rough";
  return terrain;
}

const std::vector<TileKind>& GridColumns() {
  static const std::vector<TileKind> kColumns = [] {
    std::vector<TileKind> columns;
    for (const auto& [kind, count] : {std::pair{TileKind::kStairs, 4},
                                      {TileKind::kStairsDown, 4},
                                      {TileKind::kBoxes, 4},
                                      {TileKind::kRough, 4},
                                      {TileKind::kSlope, 2},
                                      {TileKind::kSlopeDown, 2}}) {
      columns.insert(columns.end(), static_cast<std::size_t>(count), kind);
    }
    return columns;
  }();
  return kColumns;
}

Terrain GridTerrain(const robot::TerrainSpec& spec, const RngStream& stream) {
  Terrain terrain = MakeTerrain({.columns = GridColumns(), .rows = kGridRows}, spec, stream);
  terrain.name = "grid";
  return terrain;
}

}  // namespace gonogo::sim
