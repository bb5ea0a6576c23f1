// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/cells.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace gonogo::calibrate {
namespace {

constexpr double kDelta = 0.01;
constexpr double kKappa = 0.05;

struct Solved {
  std::string_view name;
  double signal;
  double handicap;
  double violation_logit;
};
constexpr Solved kSolved[] = {
#include "gonogo/calibrate/benchmark/solved_cells.inc"
};
constexpr Solved kSolvedSmall[] = {
#include "gonogo/calibrate/benchmark/solved_small_cells.inc"
};

SolveTarget Signal(Quantity quantity, double value) {
  return {&SyntheticWorld::signal, 0.0, 0.3, quantity, value};
}
SolveTarget Handicap(double h_dep) {
  return {&SyntheticWorld::handicap, 0.0, 0.3, Quantity::kDeployment, h_dep};
}
SolveTarget ViolationRate(double q) {
  return {&SyntheticWorld::violation_logit, -9.0, 0.0, Quantity::kViolation, q};
}

/// Useful where the context says so, and a little worse than direct on average.
SyntheticWorld Useful() { return {.signal = 0.03, .handicap = 0.01}; }

BenchmarkCell Effect(double multiple) {
  return {fmt::format("effect-{}x", multiple),
          CellRole::kEffect,
          fmt::format("H_dep at {} times its threshold, q at kappa / {}", multiple, multiple),
          Useful(),
          {Signal(Quantity::kDeployment, multiple * kDelta), ViolationRate(kKappa / multiple)}};
}

std::vector<BenchmarkCell> NullCells() {
  return {
      {"null", CellRole::kNull, "no action differs from direct on average", {}, {}},
      {"global-only",
       CellRole::kNull,
       "one action is 3 % better everywhere",
       {.global_gain = 0.03},
       {}},
      {"hidden", CellRole::kNull, "large effects that no feature tells", {.query_noise = 0.30}, {}},
  };
}

/// Always acting would break the constraint, so that direct is the only admissible fixed action;
/// acting only where it is allowed needs no knowledge of costs.
SyntheticWorld ConstrainedReference() {
  return {.handicap = -0.06,
          .violation_logit = -4.0,
          .violation_slope = 20.0,
          .violation_cluster_sd = 0.5};
}

SyntheticWorld Strong() { return {.signal = 0.08, .handicap = 0.03}; }

BenchmarkCell Deployment(std::string name, std::string purpose, const SyntheticWorld& world,
                         CellRole role) {
  return {std::move(name), role, std::move(purpose), world, {Handicap(kDelta)}};
}

std::vector<BenchmarkCell> LeastFavourableCells() {
  return {
      Deployment("dep-threshold", "H_dep at its threshold", Strong(), CellRole::kLeastFavourable),
      {"alloc-threshold",
       CellRole::kLeastFavourable,
       "H_alloc at its threshold: the gain comes from acting at all",
       ConstrainedReference(),
       {Signal(Quantity::kAllocation, kDelta)}},
      {"q-threshold",
       CellRole::kLeastFavourable,
       "q at its threshold",
       Strong(),
       {ViolationRate(kKappa)}},
  };
}

std::vector<BenchmarkCell> StressCells() {
  SyntheticWorld between = Useful();
  between.context_correlation = 0.95;
  SyntheticWorld unequal = Strong();
  unequal.unequal_clusters = true;
  SyntheticWorld heavy = Strong();
  heavy.baseline_spread = 1.0;
  SyntheticWorld tied = Useful();
  tied.handicap = 0.0;
  tied.reference_gap = 0.002;
  SyntheticWorld no_violation = Useful();
  no_violation.violation_logit = kNeverViolates;
  SyntheticWorld few = Useful();
  few.clusters = 10;
  SyntheticWorld few_strong = Strong();
  few_strong.clusters = 10;
  SyntheticWorld many = Useful();
  many.clusters = 40;
  SyntheticWorld two = Useful();
  two.actions = 2;
  SyntheticWorld threshold = Useful();
  threshold.response = EffectShape::kThreshold;
  const SolveTarget twice = Signal(Quantity::kDeployment, 2.0 * kDelta);
  return {
      {"between-clusters",
       CellRole::kStress,
       "the context differs between clusters only",
       between,
       {twice}},
      Deployment("unequal-clusters", "H_dep at its threshold, sizes 12 to 144", unequal,
                 CellRole::kStress),
      Deployment("heavy-tails", "H_dep at its threshold, lognormal costs with sd 1", heavy,
                 CellRole::kStress),
      {"tied-references",
       CellRole::kStress,
       "H_dep at its threshold, fixed actions within 1 %",
       tied,
       {Signal(Quantity::kDeployment, kDelta)}},
      {"no-violation", CellRole::kStress, "H_dep at 2 thresholds, q = 0", no_violation, {twice}},
      Deployment("dep-threshold-10", "H_dep at its threshold, 10 clusters", few_strong,
                 CellRole::kStress),
      {"effect-2x-10",
       CellRole::kEffect,
       "H_dep at 2 thresholds, 10 clusters",
       few,
       {twice, ViolationRate(kKappa / 2.0)}},
      {"effect-2x-40",
       CellRole::kEffect,
       "H_dep at 2 thresholds, 40 clusters",
       many,
       {twice, ViolationRate(kKappa / 2.0)}},
      {"two-actions", CellRole::kStress, "H_dep at 2 thresholds, one candidate", two, {twice}},
      {"threshold-response",
       CellRole::kStress,
       "H_dep at 2 thresholds, effects are steps",
       threshold,
       {twice}},
  };
}

/// Where failures cost double, or times warn of violations, a selector that gains little hardly
/// violates: the violation rate of useful adapters is what it is (about 0.05 %), and it takes
/// strong effects to bring it to its threshold. The gain there does not come from acting at all
/// either, so that H_alloc has no threshold cell.
void AdaptToFamily(Family family, BenchmarkCell& cell) {
  const auto keep_rate = [&] {
    cell.targets.resize(1);
    const std::size_t begin = cell.purpose.find(", q at");
    cell.purpose.erase(begin, cell.purpose.find(',', begin + 1) - begin);
  };
  // Selectors that gain as little there stay just below kappa whatever the candidates do.
  if (family == Family::kInformative && cell.name == "effect-1x") keep_rate();
  if (family != Family::kRobot && family != Family::kNonlinear) return;
  if (cell.role == CellRole::kEffect && family == Family::kRobot) keep_rate();
  if (cell.name == "q-threshold") cell.world.signal = 0.4;
}

/// The questions every family is asked: nothing to gain, each channel at its threshold, and gains
/// from one to three thresholds, twice the thresholds with fewer and more clusters too.
std::vector<BenchmarkCell> FamilyCells(Family family) {
  std::vector<BenchmarkCell> cells = {NullCells().front()};
  for (BenchmarkCell& cell : LeastFavourableCells()) cells.push_back(std::move(cell));
  for (const double multiple : {1.0, 1.5, 2.0, 3.0}) cells.push_back(Effect(multiple));
  for (const std::size_t clusters : {12U, 40U}) {
    BenchmarkCell cell = Effect(2.0);
    cell.name += fmt::format("-{}", clusters);
    cell.purpose += fmt::format(", {} clusters", clusters);
    cell.world.clusters = clusters;
    cells.push_back(std::move(cell));
  }
  for (BenchmarkCell& cell : cells) {
    AdaptToFamily(family, cell);
    cell.family = family;
    cell.name = fmt::format("{}-{}", Name(family), cell.name);
    cell.world = InFamily(family, cell.world);
  }
  std::erase_if(cells, [](const BenchmarkCell& cell) {
    return cell.name == "robot-alloc-threshold" || cell.name == "nonlinear-alloc-threshold";
  });
  return cells;
}

void ApplySolution(std::span<const Solved> solutions, BenchmarkCell& cell) {
  cell.solved = cell.targets.empty();
  for (const Solved& solved : solutions) {
    if (solved.name != cell.name) continue;
    cell.solved = true;
    cell.world.signal = solved.signal;
    cell.world.handicap = solved.handicap;
    cell.world.violation_logit = solved.violation_logit;
  }
}

}  // namespace

std::string_view Name(Family family) {
  constexpr std::array<std::string_view, kFamilies.size()> kNames = {
      "linear", "robot", "clustered", "steps", "nonlinear", "heavy", "informative"};
  return kNames.at(static_cast<std::size_t>(family));
}

SyntheticWorld InFamily(Family family, SyntheticWorld world) {
  switch (family) {
    case Family::kLinear:
      break;
    case Family::kRobot:
      world.constraint = ShownConstraint::kFailure;
      world.actions = 5;
      world.violation_cluster_sd = 1.0;
      break;
    case Family::kClustered:
      world.violation_cluster_sd = 1.3;
      break;
    case Family::kSteps:
      world.context_correlation = 0.8;
      world.context_steps = true;
      break;
    case Family::kNonlinear:
      world.response = EffectShape::kSmooth;
      world.constraint = ShownConstraint::kTime;
      world.baseline_spread = 0.6;
      break;
    case Family::kHeavyTails:
      world.heavy_noise = true;
      world.baseline_spread = 1.0;
      world.features = 60;
      world.strong_features = 2;
      world.violation_cluster_sd = 1.2;
      break;
    case Family::kInformative:
      world.informative_sizes = true;
      world.context_correlation = 0.5;
      break;
  }
  return world;
}

std::string_view Name(CellRole role) {
  constexpr std::array<std::string_view, 4> kNames = {"null", "least favourable", "effect",
                                                      "stress"};
  return kNames.at(static_cast<std::size_t>(role));
}

std::vector<BenchmarkCell> AllCells() {
  std::vector<BenchmarkCell> cells = NullCells();
  for (BenchmarkCell& cell : LeastFavourableCells()) cells.push_back(std::move(cell));
  for (const double multiple : {1.0, 1.5, 2.0, 3.0, 4.0}) cells.push_back(Effect(multiple));
  for (BenchmarkCell& cell : StressCells()) cells.push_back(std::move(cell));
  for (const Family family : kFamilies) {
    if (family == Family::kLinear) continue;
    for (BenchmarkCell& cell : FamilyCells(family)) cells.push_back(std::move(cell));
  }
  for (BenchmarkCell& cell : LoggedCells()) cells.push_back(std::move(cell));
  for (BenchmarkCell& cell : cells) ApplySolution(kSolved, cell);
  return cells;
}

std::vector<BenchmarkCell> LookCells() {
  std::vector<BenchmarkCell> cells = LeastFavourableCells();
  for (BenchmarkCell& cell : cells) {
    cell.world.clusters = 160;
    cell.name += "-160";
    cell.purpose += ", 160 clusters";
    ApplySolution(kSolved, cell);
  }
  return cells;
}

std::vector<BenchmarkCell> SmallCells() {
  std::vector<BenchmarkCell> cells = AllCells();
  std::erase_if(cells, [](const BenchmarkCell& cell) {
    return cell.family != Family::kLinear || cell.world.logging != Logging::kFull;
  });
  for (BenchmarkCell& cell : cells) {
    cell.world.queries = 16;
    cell.world.actions = std::min<std::size_t>(cell.world.actions, 3);
    cell.world.features = 5;
    ApplySolution(kSolvedSmall, cell);
  }
  return cells;
}

Result<BenchmarkCell> SolveCell(const BenchmarkCell& cell, const SolveOptions& options,
                                const RngStream& stream, const Execution& execution) {
  BenchmarkCell solved = cell;
  for (const SolveTarget& target : cell.targets) {
    const SyntheticWorld world =
        GONOGO_TRY(SolveWorld(solved.world, target, options, stream.Child(cell.name), execution));
    solved.world = world;
  }
  return solved;
}

std::string SolvedLine(const BenchmarkCell& cell) {
  const std::string logit = cell.world.violation_logit == kNeverViolates
                                ? "kNeverViolates"
                                : fmt::format("{:.4f}", cell.world.violation_logit);
  return fmt::format("{{\"{}\", {:.6f}, {:.6f}, {}}},", cell.name, cell.world.signal,
                     cell.world.handicap, logit);
}

}  // namespace gonogo::calibrate
