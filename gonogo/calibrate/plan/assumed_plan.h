// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/plan/plan.h"
#include "gonogo/calibrate/simulate/simulated_audit.h"

namespace gonogo::calibrate {

/// Where power is wanted and where it is searched for.
struct PlanSearch {
  std::vector<std::size_t> clusters;  ///< counts to report on
  std::size_t fewest = 2;             ///< fewer give no decision
  std::size_t largest = 0;            ///< of the search; 0: no search
  RuleUnderTest rule = RuleUnderTest::kCalibrated;
};

/// Evaluates the counts wanted and then searches the fewest with 80 % and 90 % power, assuming
/// power grows with clusters: doubling from the fewest that can decide, then bisection to within
/// 5 %. Every point evaluated is reported; counts that cannot decide are reported as such.
[[nodiscard]] Result<Plan> BuildPlan(const PlanSearch& search,
                                     const std::function<Result<PlanPoint>(std::size_t)>& evaluate);

struct PlanOptions {
  SyntheticWorld world;               ///< the assumed effect; `clusters` is what is planned
  std::vector<std::size_t> clusters;  ///< counts to report on; empty: only the search
  RuleUnderTest rule = RuleUnderTest::kCalibrated;  ///< whose power is searched for
  std::size_t largest = 320;                        ///< of the search; 0: no search
  std::size_t fewest = 2;                           ///< declared `min_clusters`: fewer never decide
  std::size_t data_sets = 200;                      ///< per cluster count
  std::uint64_t seed = 20260717;
  SimulationOptions simulation;
};

/// Simulates audits of known-truth worlds at each cluster count.
[[nodiscard]] Result<Plan> PlanFromWorld(const PlanOptions& options, const Execution& execution);

/// What is assumed where there is no pilot: an effect, and a table of a certain size.
struct Assumption {
  double effect = 0.02;               ///< true H_dep of the adapter that would ship, a share
  SyntheticWorld world = {};          ///< queries, actions and features of the table
  std::vector<std::size_t> clusters;  ///< counts to report on, at least one
  std::size_t largest = 160;          ///< of the search for power; 0: no search
  std::size_t data_sets = 200;        ///< simulated per cluster count
};

/// The rule whose power is planned for: the protocol's.
[[nodiscard]] RuleUnderTest PlannedRule(const audit::Protocol& protocol);

/// Solves a world for the assumed effect and simulates audits in it, under the protocol. Progress
/// counts simulated audits.
[[nodiscard]] Result<Plan> PlanFromAssumption(const audit::Protocol& protocol,
                                              const Assumption& assumption,
                                              const Execution& execution);

}  // namespace gonogo::calibrate
