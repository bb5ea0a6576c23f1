// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gonogo::audit {

struct AuditResult;

/// Why the intervals say nothing about an adapter, however narrow they are: then no rule reads
/// them, and there is neither a decision nor what it would have been.
struct Obstacle {
  std::string reason;              ///< begins like the middle of a sentence
  std::vector<std::string> check;  ///< what to look at, most likely cause first
};

/// The reference action of the result succeeds less often than declared
/// (`rule.min_reference_success`): every action passes S(a) >= S(a0) where the reference fails, so
/// that costs of failures are compared with costs of failures. Nothing where success was not
/// recorded. Reads the point estimates.
[[nodiscard]] std::optional<Obstacle> FindObstacle(const AuditResult& result);

}  // namespace gonogo::audit
