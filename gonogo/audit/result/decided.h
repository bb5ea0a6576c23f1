// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// What is compared, in words, with its mean at a query: empty where it is a cost in units that
/// nobody declared. Reads the point estimates.
[[nodiscard]] std::string ObjectiveInWords(const AuditResult& result);

/// What the constraints leave of the alternatives: pairs of a query and an action other than the
/// reference.
struct ConstraintShares {
  double by_success = 0.0;    ///< share that fails where the reference succeeds
  double by_time = 0.0;       ///< share that takes too long
  double forbidden = 0.0;     ///< share that is not eligible for any reason
  double cheaper = 0.0;       ///< share of the queries at which some alternative is cheaper
  double cheaper_free = 0.0;  ///< share at which one of those is allowed
};

/// Nothing can be said of scores of a log, and nothing is forbidden without constraints.
[[nodiscard]] ConstraintShares SharesOf(const OutcomeTable& table, const Protocol& protocol);

/// "Of the alternatives, time <= 1.1 x direct forbids 95.7 % and …"; empty where nothing is
/// forbidden.
[[nodiscard]] std::string ConstraintsInWords(const OutcomeTable& table, const Protocol& protocol,
                                             const ConstraintShares& shares);

/// Whether the constraints take away most of what could be saved, so that the answer is theirs
/// rather than the learner's.
[[nodiscard]] bool ConstraintsDecide(const ConstraintShares& shares);

/// Whether every action costs the same amount more or less than the reference at every query, so
/// that it does not matter where it is chosen and H_alloc is zero for every adapter.
[[nodiscard]] bool CostsOnlyShift(const OutcomeTable& table);

}  // namespace gonogo::audit
