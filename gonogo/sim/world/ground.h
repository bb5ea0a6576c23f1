// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::sim {

/// Rows of the training grid, from easy (0) to hard (9); both ends belong to the range.
struct RowRange {
  int first = 0;
  int last = kGridRows - 1;

  [[nodiscard]] int count() const { return last - first + 1; }
  bool operator==(const RowRange&) const = default;
};

/// Which ground robots walk on, as `--terrain` and `collect.terrain` declare it. Its heights follow
/// from this, the robot's `[terrain]` and a seed.
///
///     flat                     an infinite plane
///     rough                    3 x 3 tiles of random rough ground
///     grid                     the training grid: 10 rows of rising difficulty, 20 columns
///     stairs                   one tile, its difficulty drawn from the whole range
///     stairs:0-5, grid:0       the part of the grid with these kinds of tiles and rows
///     stairs+boxes@0.15        the same kinds in one row, every tile of this difficulty
///     mixed@0.1                four tiles of flat, rough and stepped patches
///     isaac:64, isaac:64:0-2   64 environments bound to tiles of the grid as Isaac Lab does it
struct Ground {
  enum class Layout : std::uint8_t { kFlat, kRough, kTile, kGrid, kEnvironments };

  Layout layout = Layout::kGrid;
  std::vector<TileKind> kinds = {};  ///< kTile: one; kGrid: those kept, none: all
  std::optional<RowRange> rows = {};
  std::optional<double> difficulty = {};  ///< in [0, 1]; replaces that of the rows
  int environments = 0;                   ///< kEnvironments

  /// From the texts above; anything else is an error that says what there is.
  [[nodiscard]] static Result<Ground> Parse(std::string_view text);
  /// The text that gives this ground.
  [[nodiscard]] std::string text() const;

  bool operator==(const Ground&) const = default;
};

/// The kind of tile that a ground's text calls so, or nothing.
[[nodiscard]] std::optional<TileKind> TileNamed(std::string_view name);

/// What `Ground::Parse` takes, in one line for help and docs.
[[nodiscard]] std::string_view GroundSyntax();

/// The ground a stream names. Robots are put on the middles of its tiles, each as likely as any
/// other. A part of the grid has the very tiles that the grid of the same stream has there.
///
/// Isaac Lab's binding: environment e of N belongs for life to column ⌊20 e / N⌋ and starts in a
/// row drawn for it from 0 to 5 (`max_init_terrain_level`); its middle is then as likely as that of
/// any other environment. Its curriculum, which moves robots that walked less than half of what
/// was commanded one row down, is frozen here: give the rows it led to.
[[nodiscard]] Terrain MakeGround(const Ground& ground, const robot::TerrainSpec& spec,
                                 const RngStream& stream);

/// The column of the grid that Isaac Lab binds an environment to.
[[nodiscard]] int IsaacColumn(int environment, int environments);

/// Which ground a run with a seed of its own stands on.
struct GroundSeed {
  std::optional<std::uint64_t> common = {};  ///< one ground for all seeds; empty: each its own

  /// "each", or the seed of the one ground.
  [[nodiscard]] static Result<GroundSeed> Parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  /// The seed that names the ground of a run.
  [[nodiscard]] std::uint64_t For(std::uint64_t seed) const { return common.value_or(seed); }

  bool operator==(const GroundSeed&) const = default;
};

}  // namespace gonogo::sim
