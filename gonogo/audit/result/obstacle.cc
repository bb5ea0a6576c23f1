// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/obstacle.h"

#include <fmt/format.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {

std::optional<Obstacle> FindObstacle(const AuditResult& result) {
  const double needed = result.protocol.rule.min_reference_success;
  if (!result.point.success_direct.has_value()) return std::nullopt;
  const double success = *result.point.success_direct;
  if (success >= needed) return std::nullopt;
  const std::string& reference =
      result.actions.empty() ? result.protocol.reference : result.actions.front().name;
  Obstacle obstacle{
      .reason = fmt::format("the reference action '{}' succeeds at {} of the queries, and {} are "
                            "needed (rule.min_reference_success). Where the reference fails every "
                            "other action counts as eligible, so the table compares failures with "
                            "failures and says nothing about an adapter",
                            reference, Percent(success, 1), Percent(needed, 1))};
  const double best = result.log ? needed : result.point.success_oracle.value_or(0.0);
  obstacle.check = {
      fmt::format("Is 1 a success in the column '{}', and 0 a failure?",
                  result.protocol.table.success),
      fmt::format("Is '{}' the action that is taken without an adapter (protocol.reference)?",
                  reference),
      "If a robot or a program made the outcomes: does it work at all without an adapter? A wrong "
      "description, unit or controller makes everything fail at once."};
  if (best < needed) {
    obstacle.check.push_back(
        fmt::format("Even the best eligible action succeeds at {} of the queries only: look at the "
                    "task before the adapter.",
                    Percent(best, 1)));
  }
  obstacle.check.emplace_back(
      "If a reference that mostly fails is what you want to improve on, declare a lower "
      "rule.min_reference_success before collecting.");
  return obstacle;
}

}  // namespace gonogo::audit
