// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/plan/plan.h"

namespace gonogo::calibrate {

/// What is assumed where there is no pilot: an effect, and a table of a certain size.
struct Assumption {
  double effect = 0.02;               ///< true H_dep of the adapter that would ship, a share
  World world = {};                   ///< queries, actions and features of the table
  std::vector<std::size_t> clusters;  ///< counts to report on, at least one
  std::size_t largest = 160;          ///< of the search for power; 0: no search
  std::size_t data_sets = 200;        ///< simulated per cluster count
};

/// The rule whose power is planned for: the protocol's.
[[nodiscard]] Rule PlannedRule(const audit::Protocol& protocol);

/// Solves a world for the assumed effect and simulates audits in it, with the thresholds, rule and
/// learner of the protocol. Progress counts simulated audits.
[[nodiscard]] Result<Plan> PlanFromAssumption(const audit::Protocol& protocol,
                                              const Assumption& assumption,
                                              const LearnerFactory& learner,
                                              const Execution& execution);

}  // namespace gonogo::calibrate
