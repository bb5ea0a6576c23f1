// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/calibrate/trials/solve.h"
#include "gonogo/calibrate/worlds/families.h"
#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// What a cell of the benchmark is there to show.
enum class CellRole {
  kNull,             ///< nothing to gain from state: GO is wrong
  kLeastFavourable,  ///< one channel exactly at its threshold, the others far inside
  kEffect,           ///< a useful adapter: GO is right
  kStress,           ///< conditions under which rules break
};
[[nodiscard]] std::string_view Name(CellRole role);

/// One known-truth world of the benchmark. `targets` say what its parameters were solved for.
struct Cell {
  std::string name;
  CellRole role;
  std::string purpose;
  World world;
  std::vector<Target> targets;
  Family family = Family::kLinear;
  /// Whether `solved_cells.inc` has its parameters: a world that still has to be solved is not what
  /// its purpose says.
  bool solved = true;
};

/// All cells of all families, with their parameters as solved for the default thresholds and the
/// ridge learner. Names of cells outside today's family begin with that of their family.
[[nodiscard]] std::vector<Cell> AllCells();

/// Cells for series of looks that `AllCells` lacks: each channel at its threshold for adapters
/// trained on 160 clusters, so that the last look of a series is at the threshold and those before
/// it, whose adapters have learned less, are not better. In the cells solved for 20 clusters later
/// adapters exceed the threshold, and a late GO is right.
[[nodiscard]] std::vector<Cell> LookCells();

/// Today's family on smaller tables, for learners that take long: 20 clusters of 16 queries, 3
/// actions, 5 features. Parameters were solved again, for `small-mlp` (simulated_learner.h).
[[nodiscard]] std::vector<Cell> SmallCells();

/// The cell with its targets solved in order, each starting from the one before.
[[nodiscard]] Result<Cell> SolveCell(const Cell& cell, const SolveOptions& options,
                                     const RngStream& stream, const Execution& execution);

/// One line of `solved_cells.inc`.
[[nodiscard]] std::string SolvedLine(const Cell& cell);

}  // namespace gonogo::calibrate
