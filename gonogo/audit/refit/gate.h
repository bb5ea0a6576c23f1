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

/// The selector of one fit. Without a budget it is the declared one. With one its z is raised in
/// steps of a half, by six at most, until choices within the training clusters stay inside the
/// budget: a third of the training clusters is left out in turn, the learner is fitted to the
/// others, and what it would break there is counted. Where even that is not enough, as with
/// failures that nothing foretells, it never departs. Nothing held out by `split` enters. Nothing
/// when asked to stop.
[[nodiscard]] std::optional<SelectorOptions> SpendBudget(
    const LearningProblem& problem, const Learner& learner, const DeclaredGate& gate,
    const stats::ClusterSplit& split, const RngStream& stream, const std::stop_token& stop);

}  // namespace gonogo::audit
