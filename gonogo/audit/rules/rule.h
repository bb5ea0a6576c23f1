// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/calibrated/rule.h"
#include "gonogo/audit/rules/pairs/rule.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// What every rule reads: outcomes summed by cluster, and what the fits chose in the clusters they
/// did not see. A rule refits nothing. Everything here must outlive it.
struct RuleEvidence {
  const OutcomeTotals& totals;
  std::span<const Refit> folds;       ///< leave-one-cluster-out: the point estimates
  std::span<const Refit> replicates;  ///< bootstrap refits: the intervals
  PairFits pairs = {};                ///< what the leave-pair-out rule reads instead of all others
};

/// What is declared about a rule. Each reads what concerns it.
struct RuleOptions {
  double level = 0.95;                        ///< of the intervals, two-sided
  Mixture mixture = Mixture::kWithinCluster;  ///< of the paper's intervals
  ViolationClustering clustering = {};        ///< all but the paper's: of violations
  double adapter_cost = 0.0;                  ///< all but the paper's: per query, to the selector
  bool every_contender = false;               ///< calibrated: see `CalibratedOptions`
  bool noisy_fits = false;                    ///< leave-pair-out: see `PairOptions`
  std::size_t halves = CalibratedOptions().halves;  ///< random halves for the flip rate; 0: none
};

/// What the protocol declares about a rule, for look number `look` at so many clusters: all rules
/// but the paper's spend their error over the declared looks.
[[nodiscard]] RuleOptions DeclaredOptions(DecisionRule rule, const Protocol& protocol,
                                          std::size_t look, std::size_t clusters);

/// What a rule says about a selector.
struct RuleAnswer {
  RuleBounds bounds;
  Decision decision;
  double flip_rate = 0.0;  ///< share of bootstrap seeds that would decide otherwise
  std::optional<CalibratedAudit> calibrated = {};  ///< everything else that rule found
  std::optional<PairAudit> pairs = {};             ///< likewise
};

/// The stream of an audit that draws the halves.
[[nodiscard]] RngStream HalvesStream(const Protocol& protocol);

/// Applies a decision rule: the only implementation of each, which the audit, its threshold
/// sensitivity, the calibration benchmark and plans share. `stream` draws the halves. Another rule
/// is another value of `DecisionRule`, another case here and a folder beside pairs/.
[[nodiscard]] RuleAnswer ApplyRule(DecisionRule rule, const RuleEvidence& evidence,
                                   const Thresholds& thresholds, const RuleOptions& options,
                                   const RngStream& stream);

/// Its bounds alone, which of all thresholds only kappa moves.
[[nodiscard]] RuleBounds BoundsUnder(double kappa, DecisionRule rule, const RuleEvidence& evidence,
                                     const RuleOptions& options);

}  // namespace gonogo::audit
