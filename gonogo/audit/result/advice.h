// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

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
