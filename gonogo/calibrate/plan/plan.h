// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/base/result.h"
#include "gonogo/calibrate/benchmark/proportion.h"
#include "gonogo/calibrate/simulate/tested_rules.h"

namespace gonogo::audit {
struct AuditResult;
struct OutcomeTable;
}  // namespace gonogo::audit

namespace gonogo::calibrate {

/// How likely each answer is with a given number of clusters.
struct PlanPoint {
  std::size_t clusters = 0;
  std::array<std::array<Proportion, 3>, kRules.size()> answer;  ///< GO, NO-GO, ABSTAIN by rule

  /// False with fewer clusters than the protocol declares: such an audit gives no decision, and
  /// `answer` is empty.
  bool decides = true;

  [[nodiscard]] const Proportion& go(RuleUnderTest rule) const {
    return answer[static_cast<std::size_t>(rule)][0];
  }
};

/// What looks declared by clusters (`rule.looks_at`) do: the audit ends at the first that decides.
struct SequentialPlan {
  std::vector<std::size_t> looks_at;
  std::vector<Proportion> ends;      ///< at each look; those that never decide end at the last
  std::array<Proportion, 3> answer;  ///< GO, NO-GO, ABSTAIN when it ends
  std::array<Proportion, 3>
      one_look;                ///< the same with a single look at as many clusters as the last
  double mean_clusters = 0.0;  ///< that had to be collected
};

/// The answers at every cluster count asked for, and the clusters needed for 80 % and 90 % power.
struct Plan {
  std::vector<PlanPoint> points;  ///< ascending in clusters
  /// Fewest clusters with P(GO) >= 0.8 and 0.9 for the rule planned for; nothing when even the
  /// largest number tried is not enough.
  std::optional<std::size_t> clusters_80;
  std::optional<std::size_t> clusters_90;
  std::optional<SequentialPlan> sequential = {};  ///< where looks are declared, from a pilot
};

struct PilotPlanOptions {
  std::vector<std::size_t> clusters;
  std::size_t largest = 640;
  std::size_t draws = 2000;  ///< per cluster count
};

/// What a pilot audit tells about a larger one under the same protocol: its held-out cluster sums
/// are resampled to other cluster counts and judged with the calibrated rule's bounds, whose
/// standard errors are scaled by what the pilot's refits added to the plain ones. Takes the pilot's
/// estimates for the truth and the learner for no better with more clusters, so it is only as good
/// as the pilot; rules other than the calibrated one are left empty. Everything that was declared
/// (thresholds, level, costs, time budget, fewest clusters) is taken from the result's protocol.
[[nodiscard]] Result<Plan> PlanFromPilot(const audit::OutcomeTable& table,
                                         const audit::AuditResult& pilot,
                                         const PilotPlanOptions& options);

/// `gonogo.plan/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ToJson(const Plan& plan, RuleUnderTest rule);

}  // namespace gonogo::calibrate
