// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/tiles.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gonogo/base/check.h"

namespace gonogo::sim::internal {
namespace {

constexpr double kCoarse = 0.1;      // m, vertex spacing rough ground and slopes are defined on
constexpr int kCoarseVertices = 81;  // per side of a tile
constexpr int kFlatVertices = 3;     // kept at zero along each side (0.25 m border)

Tile EmptyTile(int vertices) {
  Tile tile;
  tile.vertices = vertices;
  tile.heights.assign(static_cast<std::size_t>(vertices) * vertices, 0.0F);
  return tile;
}

/// The same ground on vertices twice as dense: midpoints lie on the coarse triangles (the middle
/// of a cell on the diagonal that cuts it), so that not even the collision shapes change.
Tile Refine(const Tile& coarse) {
  Tile fine = EmptyTile(2 * coarse.vertices - 1);
  const auto at = [&coarse](int ix, int iy) {
    return coarse.heights[static_cast<std::size_t>(iy) * coarse.vertices + ix];
  };
  for (int iy = 0; iy < fine.vertices; ++iy) {
    for (int ix = 0; ix < fine.vertices; ++ix) {
      // An odd index lies between the coarse vertices i/2 and (i+1)/2.
      const float a = at(ix / 2, iy / 2);
      const float b = at((ix + 1) / 2, (iy + 1) / 2);
      fine.heights[static_cast<std::size_t>(iy) * fine.vertices + ix] = 0.5F * (a + b);
    }
  }
  return fine;
}

void FillInner(Tile& tile, const std::function<double(int, int)>& height) {
  const int inner = tile.vertices - 2 * kFlatVertices;
  for (int iy = 0; iy < inner; ++iy) {
    for (int ix = 0; ix < inner; ++ix) {
      tile.heights[static_cast<std::size_t>(iy + kFlatVertices) * tile.vertices + ix +
                   kFlatVertices] = static_cast<float>(height(ix, iy));
    }
  }
}

Tile RoughTile(const robot::TerrainSpec& spec, const RngStream& stream) {
  Tile tile = EmptyTile(kCoarseVertices);
  Rng rng = stream.Generator();
  const auto levels = static_cast<std::uint64_t>(
      std::lround((spec.rough_high_m - spec.rough_low_m) / spec.rough_step_m) + 1);
  FillInner(tile, [&](int, int) {
    return spec.rough_low_m + spec.rough_step_m * static_cast<double>(rng.Below(levels));
  });
  return tile;
}

/// A pyramid with a flat top: height falls with the product of the distances to the edges.
Tile SlopeTile(double slope) {
  Tile tile = EmptyTile(kCoarseVertices);
  constexpr int kCentre = (kCoarseVertices - 2 * kFlatVertices) / 2;  // 37
  constexpr int kPlatform = 10;                                       // cells from the centre
  const double amplitude = slope * 3.75;
  const auto pyramid = [](int dx, int dy) {
    return static_cast<double>(kCentre - dx) / kCentre * (kCentre - dy) / kCentre;
  };
  const double top = pyramid(kPlatform, kPlatform);
  FillInner(tile, [&](int ix, int iy) {
    const double share = std::min(pyramid(std::abs(ix - kCentre), std::abs(iy - kCentre)), top);
    return std::round(amplitude * share / 0.005) * 0.005;
  });
  return tile;
}

/// Calls `height` with the offset of each vertex from the middle of the tile.
Tile TileOf(double spacing_m, const std::function<double(double, double)>& height) {
  const int vertices = static_cast<int>(std::lround(kTileSize / spacing_m)) + 1;
  Tile tile = EmptyTile(vertices);
  for (int iy = 0; iy < vertices; ++iy) {
    for (int ix = 0; ix < vertices; ++ix) {
      tile.heights[static_cast<std::size_t>(iy) * vertices + ix] = static_cast<float>(
          height(ix * spacing_m - 0.5 * kTileSize, iy * spacing_m - 0.5 * kTileSize));
    }
  }
  return tile;
}

/// Six square rings 0.3 m wide around a 2.4 m platform; ring k is (k + 1) steps high, the platform
/// seven. The edge of a ring lies half a cell outside its first vertex.
Tile StairsTile(double step, double spacing_m) {
  return TileOf(spacing_m, [=](double x, double y) {
    const double inside = 3.0 - std::max(std::abs(x), std::abs(y));  // past the 1 m flat border
    const double rings = std::floor((inside + 0.5 * spacing_m) / 0.3) + 1.0;
    return step * std::clamp(rings, 0.0, 7.0);
  });
}

/// 17 x 17 cells of 0.45 m, each at its own height, around a 2 m platform at the highest.
Tile BoxesTile(double half_range, double spacing_m, const RngStream& stream) {
  constexpr int kCells = 17;
  constexpr double kCell = 0.45;
  Rng rng = stream.Generator();
  std::vector<double> tops(std::size_t{kCells} * kCells);
  for (double& top : tops) top = rng.Uniform(-half_range, half_range);
  return TileOf(spacing_m, [&](double x, double y) {
    if (std::max(std::abs(x), std::abs(y)) <= 1.0) return half_range;
    const int ix = static_cast<int>(std::floor(x / kCell + 0.5 * kCells));
    const int iy = static_cast<int>(std::floor(y / kCell + 0.5 * kCells));
    if (ix < 0 || iy < 0 || ix >= kCells || iy >= kCells) return 0.0;
    return tops[static_cast<std::size_t>(iy) * kCells + ix];
  });
}

/// 5 x 5 square patches of 1.6 m, each flat (half of them), rough (a quarter) or with two steps up
/// to a platform (a quarter); the one in the middle is flat. The steps are square rings like those
/// of stairs: a rim of 0.1 m, a tread of 0.3 m, a platform 0.8 m wide.
Tile MixedTile(double step, double spacing_m, const robot::TerrainSpec& spec,
               const RngStream& stream) {
  constexpr int kPatches = 5;
  constexpr double kPatch = kTileSize / kPatches;
  enum class Patch { kFlat, kRough, kSteps };
  Rng rng = stream.Child("patches").Generator();
  std::vector<Patch> patches(std::size_t{kPatches} * kPatches);
  for (Patch& patch : patches) {
    const std::uint64_t drawn = rng.Below(4);
    patch = drawn < 2 ? Patch::kFlat : drawn == 2 ? Patch::kRough : Patch::kSteps;
  }
  patches[patches.size() / 2] = Patch::kFlat;
  Tile rough = RoughTile(spec, stream.Child("rough"));
  if (spacing_m < kCoarse) rough = Refine(rough);
  const auto index = [](double offset) {
    return std::clamp(static_cast<int>(std::floor(offset / kPatch + 0.5 * kPatches)), 0,
                      kPatches - 1);
  };
  const double half = 0.5 * kTileSize;
  return TileOf(spacing_m, [&](double x, double y) {
    const int px = index(x);
    const int py = index(y);
    const auto middle = [&](int i) { return (i + 0.5) * kPatch - half; };
    const double inside =
        0.5 * kPatch - std::max(std::abs(x - middle(px)), std::abs(y - middle(py)));
    switch (patches[static_cast<std::size_t>(py) * kPatches + px]) {
      case Patch::kFlat:
        return 0.0;
      case Patch::kRough: {
        const auto ix = static_cast<std::size_t>(std::lround((x + half) / spacing_m));
        const auto iy = static_cast<std::size_t>(std::lround((y + half) / spacing_m));
        return static_cast<double>(rough.heights[iy * rough.vertices + ix]);
      }
      case Patch::kSteps:
        return step * ((inside > 0.1 - 0.5 * spacing_m ? 1.0 : 0.0) +
                       (inside > 0.4 - 0.5 * spacing_m ? 1.0 : 0.0));
    }
    return 0.0;
  });
}

/// Highest vertex of the 2 m x 2 m patch in the middle.
double CentreMaximum(const Tile& tile) {
  const int reach = static_cast<int>(std::lround((tile.vertices - 1) / kTileSize));
  const int middle = tile.vertices / 2;
  float highest = tile.heights[static_cast<std::size_t>(middle) * tile.vertices + middle];
  for (int iy = middle - reach; iy <= middle + reach; ++iy) {
    for (int ix = middle - reach; ix <= middle + reach; ++ix) {
      highest = std::max(highest, tile.heights[static_cast<std::size_t>(iy) * tile.vertices + ix]);
    }
  }
  return highest;
}

Tile Shape(TileKind kind, double difficulty, double spacing_m, const robot::TerrainSpec& spec,
           const RngStream& stream) {
  const double boxes = spec.boxes_low_m + (spec.boxes_high_m - spec.boxes_low_m) * difficulty;
  const double step = 0.05 + 0.18 * difficulty;
  switch (kind) {
    case TileKind::kFlat:
      return EmptyTile(kCoarseVertices);
    case TileKind::kRough:
      return RoughTile(spec, stream);
    case TileKind::kSlope:
      return SlopeTile(0.4 * difficulty);
    case TileKind::kSlopeDown:
      return SlopeTile(-0.4 * difficulty);
    case TileKind::kStairs:
      return StairsTile(step, spacing_m);
    case TileKind::kStairsDown:
      return StairsTile(-step, spacing_m);
    case TileKind::kBoxes:
      return BoxesTile(boxes, spacing_m, stream);
    case TileKind::kMixed:
      return MixedTile(step, spacing_m, spec, stream);
  }
  return {};
}

}  // namespace

Tile MakeTile(TileKind kind, double difficulty, double spacing_m, const robot::TerrainSpec& spec,
              const RngStream& stream) {
  Tile tile = Shape(kind, difficulty, spacing_m, spec, stream);
  if (tile.vertices == kCoarseVertices && spacing_m < kCoarse) tile = Refine(tile);
  GONOGO_CHECK(tile.vertices == static_cast<int>(std::lround(kTileSize / spacing_m)) + 1);
  tile.origin_z = CentreMaximum(tile);
  return tile;
}

void Place(const Tile& tile, int ix, int iy, Terrain& terrain) {
  for (int row = 0; row < tile.vertices; ++row) {
    const auto source = tile.heights.begin() + static_cast<std::ptrdiff_t>(row) * tile.vertices;
    const auto target =
        terrain.heights.begin() + static_cast<std::ptrdiff_t>(iy + row) * terrain.nx + ix;
    std::copy_n(source, tile.vertices, target);
  }
}

}  // namespace gonogo::sim::internal
