// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/calibrate/simulate/solve.h"
#include "gonogo/calibrate/worlds/synthetic_world.h"

namespace gonogo::calibrate {

/// Kinds of worlds in which the same questions are asked again: a rule that was made in one of them
/// has to hold in the others.
enum class Family {
  kLinear,       ///< the worlds the rules were made in
  kRobot,        ///< success decides eligibility, failures cluster and cost double
  kClustered,    ///< violations of one cluster go together: logit sd 1.3
  kSteps,        ///< the context differs between clusters, in steps
  kNonlinear,    ///< smooth effects, lognormal costs, time decides eligibility
  kHeavyTails,   ///< t noise, lognormal costs with sd 1, two strong features of sixty
  kInformative,  ///< cluster sizes differ and say something about the queries
};
inline constexpr std::array kFamilies = {
    Family::kLinear,    Family::kRobot,      Family::kClustered,  Family::kSteps,
    Family::kNonlinear, Family::kHeavyTails, Family::kInformative};

[[nodiscard]] std::string_view Name(Family family);

/// Whether constants of a rule may be chosen by what happens in this family. Declared before any of
/// the others was run with the leave-pair-out rule of this program; the others only confirm.
[[nodiscard]] constexpr bool MayTuneOn(Family family) {
  return family == Family::kLinear || family == Family::kRobot || family == Family::kClustered;
}

/// The world moved into the family.
[[nodiscard]] SyntheticWorld InFamily(Family family, SyntheticWorld world);

/// What a cell of the benchmark is there to show.
enum class CellRole {
  kNull,             ///< nothing to gain from state: GO is wrong
  kLeastFavourable,  ///< one channel exactly at its threshold, the others far inside
  kEffect,           ///< a useful adapter: GO is right
  kStress,           ///< conditions under which rules break
};
[[nodiscard]] std::string_view Name(CellRole role);

/// One known-truth world of the benchmark. `targets` say what its parameters were solved for.
struct BenchmarkCell {
  std::string name;
  CellRole role;
  std::string purpose;
  SyntheticWorld world;
  std::vector<SolveTarget> targets;
  Family family = Family::kLinear;
  /// Whether `solved_cells.inc` has its parameters: a world that still has to be solved is not what
  /// its purpose says.
  bool solved = true;
};

/// All cells of all families, with their parameters as solved for the default thresholds and the
/// ridge learner. Names of cells outside today's family begin with that of their family.
[[nodiscard]] std::vector<BenchmarkCell> AllCells();

/// Worlds of which an audit sees a log only: one action of every query. Their parameters are not
/// solved yet. A feature tells the level of the cost, as a distance or a size would: without it
/// thousands of tries would say nothing about a few percent.
[[nodiscard]] std::vector<BenchmarkCell> LoggedCells();

/// Cells for series of looks that `AllCells` lacks: each channel at its threshold for adapters
/// trained on 160 clusters, so that the last look of a series is at the threshold and those before
/// it, whose adapters have learned less, are not better. In the cells solved for 20 clusters later
/// adapters exceed the threshold, and a late GO is right.
[[nodiscard]] std::vector<BenchmarkCell> LookCells();

/// Today's family on smaller tables, for learners that take long: 20 clusters of 16 queries, 3
/// actions, 5 features. Parameters were solved again, for `small-mlp` (simulated_learner.h).
[[nodiscard]] std::vector<BenchmarkCell> SmallCells();

/// The cell with its targets solved in order, each starting from the one before.
[[nodiscard]] Result<BenchmarkCell> SolveCell(const BenchmarkCell& cell,
                                              const SolveOptions& options, const RngStream& stream,
                                              const Execution& execution);

/// One line of `solved_cells.inc`.
[[nodiscard]] std::string SolvedLine(const BenchmarkCell& cell);

}  // namespace gonogo::calibrate
