// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// The gate between predictions and choices as an audit uses it: what is declared, and how many
/// violations it may expect.
struct DeclaredGate {
  SelectorOptions selector = {};
  double violation_budget = 0.0;  ///< share of the queries; 0: z is as declared
};

/// The protocol's gate: `selector.violation_share` of kappa is the budget.
[[nodiscard]] DeclaredGate GateOf(const Protocol& protocol);

/// The gate before one fit: its own where training chose one (`OwnGate`), the declared one
/// otherwise.
[[nodiscard]] adapter::Gate GateOf(const LearningProblem& problem, const FittedLearner& fitted,
                                   const SelectorOptions& declared);

/// By how much the z of the gate is raised: by nothing without a budget. With one it is raised in
/// steps of a half, by six at most, until choices within the training clusters stay inside the
/// budget: a third of the training clusters is left out in turn, the learner is fitted to the
/// others, and what it would break there is counted. Where even that is not enough, as with
/// failures that nothing foretells, it is infinite: the adapter never departs. Nothing held out by
/// `split` enters. Nothing when asked to stop.
[[nodiscard]] std::optional<double> SpendBudget(const LearningProblem& problem,
                                                const Learner& learner, const DeclaredGate& gate,
                                                const stats::ClusterSplit& split,
                                                const RngStream& stream,
                                                const std::stop_token& stop);

}  // namespace gonogo::audit
