// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// Reads the intervals, finds every reason why the result is only descriptive, and assigns the
/// decision when there is none. Also fills the resolution diagnostic.
void Conclude(const OutcomeTable& table, AuditResult& result);

/// Reasons that follow from the declaration the table carries.
[[nodiscard]] std::vector<std::string> DeclarationReasons(const OutcomeTable& table,
                                                          const Protocol& used);

/// What a declared collection ([collect]) promised and the table does not hold.
[[nodiscard]] std::vector<std::string> CollectionReasons(const OutcomeTable& table,
                                                         const Protocol& used);

/// The reference action of the result succeeds less often than declared
/// (`rule.min_reference_success`): every action passes S(a) >= S(a0) where the reference fails, so
/// that costs of failures are compared with costs of failures. Nothing where success was not
/// recorded. Reads the point estimates.
[[nodiscard]] std::optional<Obstacle> FindObstacle(const AuditResult& result);

/// A channel that is zero whatever an adapter does, because of how the costs are made.
[[nodiscard]] std::optional<Obstacle> FindEmptyChannel(const AuditResult& result);

/// How unevenly the reference's cost is spread: a few queries may decide every ratio of sums.
struct CostConcentration {
  double largest_cluster = 0.0;  ///< share of the reference's cost
  double largest_query = 0.0;
  double largest_ratio = 0.0;  ///< most that W(a) / W(a0) reaches
};

[[nodiscard]] CostConcentration ConcentrationOf(const OutcomeTable& table);

/// What somebody should know before believing the numbers, and what to try next, one sentence each;
/// empty for a table without peculiarities. Nothing here touches the verdict.
[[nodiscard]] std::vector<std::string> Advice(const OutcomeTable& table, const AuditResult& result);

}  // namespace gonogo::audit
