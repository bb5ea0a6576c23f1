// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/calibrate/benchmark/cells.h"

namespace gonogo::calibrate {
namespace {

constexpr double kThreshold = 0.01;  // of H_dep, as declared by default
constexpr double kLimit = 0.05;      // of q

/// Two actions and 960 queries, or seven and four times as many: an action is tried as often.
SyntheticWorld LoggedWorld(std::size_t actions, Logging logging) {
  SyntheticWorld world{.queries = actions == 2 ? std::size_t{48} : std::size_t{192},
                       .actions = actions};
  world.logging = logging;
  world.baseline_feature = true;
  return world;
}

BenchmarkCell Threshold(std::string name, std::string purpose, SyntheticWorld world,
                        CellRole role) {
  // Few tries where it pays: a weaker effect would not be learned at all.
  world.signal = world.logging == Logging::kWeak ? 0.25 : 0.12;
  world.handicap = 0.03;
  return {std::move(name),
          role,
          std::move(purpose),
          world,
          {{&SyntheticWorld::handicap, 0.0, 0.4, Quantity::kDeployment, kThreshold}}};
}

BenchmarkCell Gain(std::string name, std::string purpose, SyntheticWorld world) {
  world.handicap = 0.01;
  return {std::move(name),
          CellRole::kEffect,
          std::move(purpose),
          world,
          {{&SyntheticWorld::signal, 0.0, 0.5, Quantity::kDeployment, 3.0 * kThreshold},
           {&SyntheticWorld::violation_logit, -9.0, 0.0, Quantity::kViolation, kLimit / 3.0}}};
}

}  // namespace

std::vector<BenchmarkCell> LoggedCells() {
  const SyntheticWorld two = LoggedWorld(2, Logging::kEven);
  const SyntheticWorld seven = LoggedWorld(7, Logging::kEven);
  SyntheticWorld strong = two;
  strong.signal = 0.2;
  strong.handicap = 0.03;
  std::vector<BenchmarkCell> cells = {
      {"logged-2-null", CellRole::kNull, "a log of two actions that do not differ", two, {}},
      {"logged-7-null", CellRole::kNull, "a log of seven actions that do not differ", seven, {}},
      Threshold("logged-2-dep-threshold", "two actions tried evenly, H_dep at its threshold", two,
                CellRole::kLeastFavourable),
      Threshold("logged-7-dep-threshold", "seven actions tried evenly, H_dep at its threshold",
                seven, CellRole::kLeastFavourable),
      {"logged-2-q-threshold",
       CellRole::kLeastFavourable,
       "two actions tried evenly, q at its threshold",
       strong,
       {{&SyntheticWorld::violation_logit, -9.0, 0.0, Quantity::kViolation, kLimit}}},
      Gain("logged-2-effect-3x", "two actions tried evenly, H_dep at 3 thresholds", two),
      Gain("logged-7-effect-3x", "seven actions tried evenly, H_dep at 3 thresholds", seven)};
  for (const Logging logging : {Logging::kWeak, Logging::kEstimated}) {
    const bool weak = logging == Logging::kWeak;
    const std::string name = weak ? "weak" : "estimated";
    const std::string how = weak ? "weak overlap" : "propensities estimated";
    cells.push_back(Threshold(fmt::format("logged-2-{}-dep-threshold", name),
                              how + ", H_dep at its threshold", LoggedWorld(2, logging),
                              weak ? CellRole::kLeastFavourable : CellRole::kStress));
    cells.push_back(Gain(fmt::format("logged-2-{}-effect-3x", name),
                         how + ", H_dep at 3 thresholds", LoggedWorld(2, logging)));
  }
  return cells;
}

}  // namespace gonogo::calibrate
