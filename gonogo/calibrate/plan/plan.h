// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/benchmark/summary.h"

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
